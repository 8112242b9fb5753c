import { useScreenState, useWidget } from '../ui/context.ts'
import { Button, CodeField, Form, Message, Screen, Submit, useSecondsUntil } from '../ui/parts.tsx'
import { Resend } from '../ui/resend.tsx'

/** Pages of mail providers. Plain links, so that nothing of them is loaded. */
const WEBMAIL = {
  Gmail: 'https://mail.google.com/mail/u/0/#search/newer_than%3A1h',
  Yahoo: 'https://mail.yahoo.com/',
  Outlook: 'https://outlook.live.com/mail/0/',
} as const

export function EmailConfirmation() {
  const { texts } = useWidget()
  const { email } = useScreenState()
  return (
    <Screen title="emailConfirmation.title" content="emailConfirmation.content" values={{ email }}>
      <ul className="links">
        {Object.entries(WEBMAIL).map(([name, href]) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noopener noreferrer">
              {texts.text('emailConfirmation.openIn', { name })}
            </a>
          </li>
        ))}
      </ul>
      <Resend label="button.resendEmail" done="toast.emailResent" />
      <PasswordInstead />
    </Screen>
  )
}

/** Lets the person choose between a link and a code. */
export function EmailMethodSelection() {
  const { act, flows, texts } = useWidget()
  const { email } = useScreenState()
  return (
    <Screen title="emailMethod.title" content="emailMethod.content" values={{ email }}>
      <div className="buttons">
        <Button look="primary" onClick={() => act('method', () => flows.sendLink(email))} data-focus>
          {texts.text('button.emailMagicLink')}
        </Button>
        <Button onClick={() => act('method', () => flows.sendCode(email))}>
          {texts.text('button.emailOTP')}
        </Button>
      </div>
      <Message id="method-problem" at="method" />
    </Screen>
  )
}

export function OTPAuthenticate() {
  const { flows, texts } = useWidget()
  const { otp } = useScreenState()
  return (
    <Screen title="passcode.title" content="passcode.content" values={{ destination: otp.destination }}>
      <Form id="code" onSend={field => flows.checkCode(field('code'))}>
        <CodeField form="code" label={texts.text('field.passcode.label')} />
        <Submit id="code">{texts.text('button.continue')}</Submit>
      </Form>
      <Expiry atMs={otp.expiresAtMs} />
      <Resend label="button.resendCode" done="toast.codeSent" />
      {otp.type === 'email' && <PasswordInstead />}
    </Screen>
  )
}

/** The code that the person chose on the screen before. */
export const EmailOTPEntry = OTPAuthenticate

function Expiry({ atMs }: { readonly atMs: number }) {
  const { texts } = useWidget()
  const seconds = useSecondsUntil(atMs)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p className="hint">
      {seconds > 0 ? texts.text('passcode.expires', { time }) : texts.text('passcode.expired')}
    </p>
  )
}

/** Lets an account without a password set one, if the page offers passwords. */
function PasswordInstead() {
  const { act, config, flows, texts } = useWidget()
  const { password } = useScreenState()
  if (password.type !== 'passwordless' || !config.products.includes('passwords')) return null
  return (
    <>
      <Button look="link" onClick={() => act('instead', flows.sendSetPassword)}>
        {texts.text('button.createPasswordInstead')}
      </Button>
      <Message id="instead-problem" at="instead" />
    </>
  )
}
