import { useWidget } from '../ui/context.ts'
import { Button, Message, Screen } from '../ui/parts.tsx'

/** Offers a passkey after a sign-in without one. */
export function RegisterNewPasskey() {
  const { act, flows, texts } = useWidget()
  return (
    <Screen title="passkey.register.title" content="passkey.register.content" hasBack={false}>
      <Button look="primary" onClick={() => act('register', flows.registerPasskey)}>
        {texts.text('button.createPasskey')}
      </Button>
      <Message id="register-problem" at="register" />
      <Button look="link" onClick={flows.leavePasskeys}>
        {texts.text('button.skip')}
      </Button>
    </Screen>
  )
}

export function PasskeyRegistrationSuccess() {
  const { flows, texts } = useWidget()
  return (
    <Screen title="passkey.registered.title" content="passkey.registered.content" hasBack={false}>
      <Button look="primary" onClick={flows.leavePasskeys}>
        {texts.text('button.done')}
      </Button>
    </Screen>
  )
}
