import type { PasswordStrength } from '@lapwing/identity-client/contract'
import { useEffect, useState } from 'react'
import { passwordlessForm } from '../config/layout.ts'
import { fieldOf } from '../texts/error-sentence.ts'
import type { MessageId } from '../texts/texts.ts'
import { useProblem, useScreenState, useWidget } from '../ui/context.ts'
import { Button, EmailField, Form, isEmail, Message, PasswordField, Screen, Submit } from '../ui/parts.tsx'
import { Resend } from '../ui/resend.tsx'

/** Milliseconds after the last letter until the strength is checked. */
const STRENGTH_MS = 500

export function PasswordEmail() {
  const { flows, texts } = useWidget()
  return (
    <Screen title="password.email.title">
      <Form id="email" onSend={field => withEmail(flows, field('email'), flows.searchUser)}>
        <EmailField form="email" />
        <Submit id="email">{texts.text('button.continue')}</Submit>
      </Form>
    </Screen>
  )
}

/** Creates an account, or signs in to one that has a password. */
export function PasswordCreateOrLogin() {
  const { password } = useScreenState()
  return password.type === 'new' ? <CreatePassword /> : <LogIn />
}

function CreatePassword() {
  const { flows, texts } = useWidget()
  const { password } = useScreenState()
  const [typed, setTyped] = useState('')
  return (
    <Screen
      title="password.create.title"
      content="password.create.content"
      values={{ email: password.email }}
    >
      <PasswordlessFirst />
      <Form id="password" onSend={field => flows.createPassword(field('password'))}>
        <KnownEmail email={password.email} />
        <PasswordField form="password" isNew onText={setTyped} />
        <StrengthHint password={typed} />
        <Submit id="password">{texts.text('button.continue')}</Submit>
      </Form>
    </Screen>
  )
}

function LogIn() {
  const { act, flows, texts } = useWidget()
  const { password } = useScreenState()
  return (
    <Screen title="password.login.title">
      <Form id="password" onSend={field => flows.logIn(password.email, field('password'))}>
        <KnownEmail email={password.email} />
        <PasswordField form="password" />
        <Submit id="password">{texts.text('button.continue')}</Submit>
      </Form>
      <Button look="link" onClick={() => act('forgot', () => flows.sendReset(password.email))}>
        {texts.text('button.forgotPassword')}
      </Button>
      <Message id="forgot-problem" at="forgot" />
      <PasswordlessFirst />
    </Screen>
  )
}

/** The address for password managers, and for people who check it. */
function KnownEmail({ email }: { readonly email: string }) {
  const { texts } = useWidget()
  return (
    <input
      className="known"
      aria-label={texts.text('field.email.label')}
      name="email"
      type="email"
      autoComplete="username"
      value={email}
      readOnly
    />
  )
}

const PASSWORDLESS = {
  link: 'button.emailMagicLink',
  code: 'button.emailOTP',
  choice: 'button.emailLogin',
} as const satisfies Readonly<Record<string, MessageId>>

/** The way by mail without a password, if the page offers one. */
function PasswordlessFirst() {
  const { act, config, flows, texts } = useWidget()
  const form = passwordlessForm(config)
  if (form === null) return null
  return (
    <div className="block">
      <Button onClick={() => act('passwordless', flows.sendPasswordless)}>
        {texts.text(PASSWORDLESS[form])}
      </Button>
      <Message id="passwordless-problem" at="passwordless" />
      <div className="divider" aria-hidden="true">
        {texts.text('divider.text')}
      </div>
    </div>
  )
}

/** Says how strong the password is, half a second after the last letter. */
function StrengthHint({ password }: { readonly password: string }) {
  const { flows, texts } = useWidget()
  const [strength, setStrength] = useState<PasswordStrength | null>(null)
  useEffect(() => {
    setStrength(null)
    if (password === '') return
    const ended = new AbortController()
    const timer = setTimeout(() => {
      flows.checkStrength(password, ended.signal).then(found => ended.signal.aborted || setStrength(found))
    }, STRENGTH_MS)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [flows, password])
  const id: MessageId | null =
    strength === null
      ? null
      : strength.breached_password
        ? 'password.strength.breached'
        : strength.valid_password
          ? 'password.strength.good'
          : 'password.strength.weak'
  return (
    <div className="strength" data-valid={strength?.valid_password}>
      <meter min={0} max={4} value={strength?.score ?? 0} aria-hidden="true" />
      <p className="hint" role="status">
        {id && texts.text(id)}
      </p>
    </div>
  )
}

/** Address and password in one form, for people who return from the mail of a reset. */
export function PasswordAuthenticate() {
  const { flows, texts } = useWidget()
  const problem = useProblem('log-in')
  const isOfEmail = problem !== null && fieldOf(problem) === 'email'
  const send = (field: (name: string) => string) =>
    withEmail(flows, field('email'), email => flows.logIn(email, field('password')))
  return (
    <Screen title="password.login.title">
      <Form id="log-in" onSend={send}>
        <EmailField form="log-in" isFaulty={isOfEmail} />
        <PasswordField form="log-in" isFaulty={!isOfEmail} />
        <Submit id="log-in">{texts.text('button.continue')}</Submit>
      </Form>
      <Button look="link" onClick={() => flows.dispatch({ type: 'forgotten' })}>
        {texts.text('button.forgotPassword')}
      </Button>
    </Screen>
  )
}

export function PasswordForgotForm() {
  const { flows, texts } = useWidget()
  return (
    <Screen title="password.forgotForm.title" content="password.forgotForm.content">
      <Form id="forgot" onSend={field => withEmail(flows, field('email'), flows.sendReset)}>
        <EmailField form="forgot" />
        <Submit id="forgot">{texts.text('button.sendResetLink')}</Submit>
      </Form>
    </Screen>
  )
}

/** A mail with a link was sent. The way back to the password is offered where the person has one. */
function Sent({ title, content, canLogIn }: { title: MessageId; content: MessageId; canLogIn?: boolean }) {
  const { flows, texts } = useWidget()
  const { email } = useScreenState()
  return (
    <Screen title={title} content={content} values={{ email }}>
      <Resend label="button.resendEmail" done="toast.emailResent" />
      {canLogIn && (
        <Button look="link" onClick={() => flows.dispatch({ type: 'loginWanted' })}>
          {texts.text('button.logInWithPassword')}
        </Button>
      )}
    </Screen>
  )
}

export const PasswordForgot = () => (
  <Sent title="password.forgot.title" content="password.forgot.content" canLogIn />
)
export const PasswordResetVerifyConfirmation = PasswordForgot
export const PasswordBreached = () => (
  <Sent title="password.breached.title" content="password.breached.content" />
)
export const PasswordSetNew = () => <Sent title="password.setNew.title" content="password.setNew.content" />
export const PasswordDedupe = () => <Sent title="password.dedupe.title" content="password.dedupe.content" />

/** Sets a new password with the token of a mailed link. */
export function PasswordResetForm() {
  const { flows, texts } = useWidget()
  const [typed, setTyped] = useState('')
  return (
    <Screen title="password.reset.title">
      <Form id="reset" onSend={field => flows.resetPassword(field('password'))}>
        <PasswordField form="reset" isNew onText={setTyped} />
        <StrengthHint password={typed} />
        <Submit id="reset">{texts.text('button.continue')}</Submit>
      </Form>
    </Screen>
  )
}

/** Runs the action with an address, or says that the text is none. */
async function withEmail(
  flows: ReturnType<typeof useWidget>['flows'],
  text: string,
  action: (email: string) => Promise<void>,
): Promise<void> {
  const email = text.trim()
  if (isEmail(email)) await action(email)
  else flows.dispatch({ type: 'failed', problem: { type: 'invalid_email', message: '' } })
}
