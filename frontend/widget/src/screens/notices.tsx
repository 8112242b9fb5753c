import { useEffect } from 'react'
import type { MessageId } from '../texts/texts.ts'
import { useProblem, useWidget } from '../ui/context.ts'
import { Button, Message, Screen, Spinner } from '../ui/parts.tsx'

/** A way in worked. */
function Confirmation({ content }: { readonly content: MessageId }) {
  const { flows, texts } = useWidget()
  return (
    <Screen title="success.title" content={content} hasBack={false}>
      <Button look="primary" onClick={() => flows.dispatch({ type: 'finished' })}>
        {texts.text('button.done')}
      </Button>
    </Screen>
  )
}

export const OTPConfirmation = () => <Confirmation content="passcode.success" />
export const PasswordConfirmation = () => <Confirmation content="password.success" />
export const PasswordSetNewConfirmation = () => <Confirmation content="password.reset.success" />
export const PasskeyConfirmation = () => <Confirmation content="passkey.success" />
export const CryptoConfirmation = () => <Confirmation content="crypto.success" />

export function LoggedIn() {
  const { act, flows, texts } = useWidget()
  const isAsked = flows.isAsked()
  const hasFailed = useProblem('consent') !== null
  useEffect(() => {
    if (isAsked) act('consent', flows.askConsent)
    // Once for each sign-in.
  }, [isAsked])
  if (isAsked && !hasFailed) {
    return (
      <p className="starting">
        <Spinner label={texts.text('status.busy')} />
      </p>
    )
  }
  return (
    <Screen title="login.success.title" content="login.success.content" hasBack={false}>
      <Message id="consent-problem" at="consent" />
      <Button onClick={() => act('log-out', flows.logOut)}>{texts.text('button.logOut')}</Button>
      <Message id="log-out-problem" at="log-out" />
    </Screen>
  )
}

/** The settings of the project could not be loaded, mostly because a blocker stopped it. */
export function AdBlockerDetected({ onRetry }: { readonly onRetry: () => void }) {
  const { texts } = useWidget()
  return (
    <Screen title="blocked.title" content="blocked.content" hasBack={false}>
      <Button look="primary" onClick={onRetry}>
        {texts.text('button.retry')}
      </Button>
    </Screen>
  )
}

/** A link or a provider failed. */
export function ErrorScreen() {
  const { acting, flows, texts } = useWidget()
  return (
    <Screen title="error.title" hasBack={false}>
      <Message id="link-problem" at={acting} />
      <Button look="primary" onClick={flows.back}>
        {texts.text('button.retry')}
      </Button>
    </Screen>
  )
}
