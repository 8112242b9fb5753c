import { usernameMaxLength } from '@lapwing/usernames'
import { useState } from 'react'
import { useSWRConfig } from 'swr'
import { Button } from '#shared/ui/Button.tsx'
import { Checkbox } from '#shared/ui/Checkbox.tsx'
import { EmailField } from '#shared/ui/EmailField.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { PasswordField } from '#shared/ui/PasswordField.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import type { Account } from './account.ts'
import { SocialButtons } from './SocialButtons.tsx'
import { StrengthMeter } from './StrengthMeter.tsx'
import { signUp, signUpProblem } from './sign-up.ts'
import { useSubmit } from './use-submit.ts'
import { useUsernameCheck } from './use-username-check.ts'
import { usernameHint, usernameProblem } from './username-hint.tsx'
import { isUsernameKey } from './username-key.ts'

export interface FormProps {
  readonly account: Account
  readonly onDone: () => void
}

export function SignUpForm({ account, onDone }: FormProps) {
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [verdict, check] = useUsernameCheck(account)
  const { mutate } = useSWRConfig()
  const { isBusy, problem, setProblem, form } = useSubmit({
    check: () => signUpProblem({ username, email, password, confirmation, agreed }, usernameProblem(verdict)),
    async send() {
      if (!(await signUp(account, { username, email, password }))) return
      // The header may have asked for the name before it was saved.
      void mutate(isUsernameKey)
      onDone()
    },
    fallback: 'Sign up failed',
  })

  return (
    <form noValidate {...form} className="space-y-2.5">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={usernameMaxLength}
        value={username}
        onChange={event => {
          setUsername(event.target.value)
          check.type(event.target.value)
        }}
        problem={usernameProblem(verdict)}
        hint={usernameHint(verdict)}
      />
      <EmailField autoComplete="email" value={email} onValueChange={setEmail} />
      <div className="grid gap-2.5 sm:grid-cols-2">
        <PasswordField
          label="Password"
          name="new-password"
          autoComplete="new-password"
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
        <PasswordField
          label="Confirm Password"
          name="confirm-password"
          autoComplete="new-password"
          value={confirmation}
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
      <SocialButtons account={account} onLeave={account.returnFlags.agree} onProblem={setProblem} />
    </form>
  )
}

/** In a tab of its own, so that what was typed here stays. */
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
