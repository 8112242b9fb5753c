import type { Consent } from '../machine/machine.ts'
import { useScreenState, useWidget } from '../ui/context.ts'
import { Button, Message, Rich, Screen } from '../ui/parts.tsx'

/** Asks what a connected app wants: to be connected, or to sign the person out. */
export function IDPConsent() {
  const { consent, logout } = useScreenState()
  if (logout !== null) return <SignOut place={logout.place} />
  return consent && <Connect consent={consent} />
}

function SignOut({ place }: { readonly place: string }) {
  const { act, flows, texts } = useWidget()
  return (
    <Screen title="logout.title" content="logout.content" values={{ place }} hasBack={false}>
      <div className="buttons">
        <Button look="primary" onClick={() => act('consent', flows.logOutForApp)}>
          {texts.text('button.logOut')}
        </Button>
        <Button onClick={() => flows.dispatch({ type: 'skipped' })}>{texts.text('button.stay')}</Button>
      </div>
      <Message id="consent-problem" at="consent" />
    </Screen>
  )
}

function Connect({ consent }: { readonly consent: Consent }) {
  const { act, flows, texts } = useWidget()
  const { appName, appDescription, scopes, canChange, email, place } = consent
  const decide = (isGranted: boolean) => act('consent', () => flows.decideConsent(isGranted))
  return (
    <Screen title="consent.title" values={{ app: appName }} hasBack={false}>
      {appDescription !== '' && <p className="content">{appDescription}</p>}
      <p>
        <Rich id="consent.content" values={{ app: appName }} />
      </p>
      <ul className="scopes">
        {scopes.map(scope => (
          <li key={scope}>{scope}</li>
        ))}
      </ul>
      <p className="hint">
        {!canChange && `${texts.text('consent.readOnly')} `}
        <Rich id="consent.place" values={{ place }} />
      </p>
      <div className="buttons">
        <Button look="primary" onClick={() => decide(true)}>
          {texts.text('button.allow')}
        </Button>
        <Button onClick={() => decide(false)}>{texts.text('button.deny')}</Button>
      </div>
      <Message id="consent-problem" at="consent" />
      {email !== '' && (
        <p className="hint">
          <Rich id="consent.account" values={{ email }} />
        </p>
      )}
      <Button look="link" onClick={() => act('consent', flows.logOut)}>
        {texts.text('button.otherAccount')}
      </Button>
    </Screen>
  )
}
