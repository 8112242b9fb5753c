import { useRef, useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Checkbox } from '#shared/ui/Checkbox.tsx'
import { EmailField } from '#shared/ui/EmailField.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { PasswordField } from '#shared/ui/PasswordField.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import type { Account } from './account.ts'
import { SocialButtons } from './SocialButtons.tsx'
import { StrengthMeter } from './StrengthMeter.tsx'
import type { PendingSignIn } from './second-factor.ts'
import { signUp, signUpProblem } from './sign-up.ts'
import { useSubmit } from './use-submit.ts'
import { useUsernameCheck } from './use-username-check.ts'
import { usernameHint, usernameInput, usernameProblem } from './username-hint.tsx'

export interface FormProps {
  readonly account: Account
  /** Called when sending starts and when it ends. */
  readonly onBusy: (isBusy: boolean) => void
  /** Called when the driver is signed in and the name is saved. */
  readonly onDone: () => void
  /** Called if a second factor is needed first. */
  readonly onSecondFactor: (pending: PendingSignIn) => void
}

export function SignUpForm({ account, onBusy, onDone, onSecondFactor }: FormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [verdict, check] = useUsernameCheck(account)
  const typed = useRef('')
  const type = (username: string) => {
    typed.current = username
    check.type(username)
  }
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => ({
      username: text('nickname'),
      email: text('email'),
      password: text('new-password'),
      confirmation: text('confirm-password'),
      agreed,
    }),
    check(fields) {
      // Checks fields that were filled without an event.
      if (fields.username !== typed.current) type(fields.username)
      setPassword(fields.password)
      setConfirmation(fields.confirmation)
      return signUpProblem(fields, usernameProblem(check.get()))
    },
    async send(fields) {
      const signedUp = await signUp(account, fields)
      if (typeof signedUp === 'object') onSecondFactor(signedUp)
      else if (signedUp) onDone()
    },
    onBusy,
    fallback: 'Sign up failed',
  })

  return (
    <form noValidate {...form} className="space-y-2.5">
      <TextField
        label="Username"
        name="nickname"
        {...usernameInput}
        onChange={event => type(event.target.value)}
        problem={usernameProblem(verdict)}
        hint={usernameHint(verdict)}
      />
      <EmailField onValueChange={setEmail} />
      <div className="grid gap-2.5 sm:grid-cols-2">
        <PasswordField
          label="Password"
          name="new-password"
          autoComplete="new-password"
          onChange={event => setPassword(event.target.value)}
        />
        <PasswordField
          label="Confirm Password"
          name="confirm-password"
          autoComplete="new-password"
          onChange={event => setConfirmation(event.target.value)}
          problem={confirmation !== '' && confirmation !== password ? 'Passwords do not match' : null}
        />
      </div>
      <div aria-live="polite" className="text-xs empty:hidden">
        <StrengthMeter account={account} email={email} password={password} />
      </div>
      <Checkbox
        checked={agreed}
        onCheckedChange={setAgreed}
        label={
          <>
            I agree to the <PageLink to="/terms">Terms of Service</PageLink> and{' '}
            <PageLink to="/privacy">Privacy Policy</PageLink>
          </>
        }
      />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
        {isBusy ? 'Creating account...' : 'Create account'}
      </Button>
      <SocialButtons
        account={account}
        onLeave={() => account.returnFlags.setTermsAgreed(agreed)}
        onProblem={setProblem}
      />
    </form>
  )
}

/** Opens in a new tab, so that the form keeps its fields. */
function PageLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noopener"
      className="rounded-sm underline underline-offset-2 hover:text-accent"
    >
      {children}
    </a>
  )
}
