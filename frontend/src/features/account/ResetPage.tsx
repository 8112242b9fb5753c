import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { EmailField } from '#shared/ui/EmailField.tsx'
import { LapwingMark } from '#shared/ui/LapwingMark.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { PasswordField } from '#shared/ui/PasswordField.tsx'
import type { Account } from './account.ts'
import { BackToHome } from './BackToHome.tsx'
import { ForgotForm } from './ForgotForm.tsx'
import { emailOfReset, resetProblem, setNewPassword } from './reset-password.ts'
import { SecondStep } from './SecondStep.tsx'
import { StrengthMeter } from './StrengthMeter.tsx'
import type { PendingSignIn } from './second-factor.ts'
import { useSubmit } from './use-submit.ts'

/** Milliseconds for which the success is visible before the main screen opens. */
const HOME_DELAY_MS = 2000

/** `/reset`: the page that a reset mail links to. */
export function ResetPage({ account }: { readonly account: Account }) {
  const [query] = useSearchParams()
  const token = query.get('token')
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  /** The link is spent. */
  const [isSpent, setSpent] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [email, setEmail] = useState('')
  // The address of the session arrives after the first render.
  const accountEmail = useStore(account.session, () => emailOfReset(account))
  const finish = () => {
    setDone(true)
    account.page.after(HOME_DELAY_MS, () => void navigate('/', { replace: true }))
  }
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => ({ token, password: text('new-password'), confirmation: text('confirm-password') }),
    check: resetProblem,
    async send({ password }) {
      const outcome = await setNewPassword(account, { token: token ?? '', password })
      if (outcome === null) return finish()
      if ('pending' in outcome) return setPending(outcome.pending)
      setProblem(outcome.sentence)
      setSpent(outcome.isOfTheLink)
    },
    fallback: 'Reset failed. Please try again.',
  })
  const shown = problem ?? (token ? null : 'Missing token in URL. Please use the link from your email.')

  return (
    // Aligned to the top, so that messages do not move the fields.
    <main className="grid min-h-dvh content-start justify-items-center p-4 pt-[max(16px,calc(50dvh-230px))]">
      <title>Reset password · Lapwing</title>
      <div className="w-full max-w-[400px] rounded-card border border-line bg-card p-5 sm:p-7">
        <LapwingMark size={32} />
        <h1 className="mt-4 text-lg font-semibold">
          {isAsking ? 'Ask for a new link' : pending && !isDone ? 'Second step' : 'Set a new password'}
        </h1>
        {isDone ? (
          <p
            role="status"
            tabIndex={-1}
            // The field with the focus was removed.
            ref={element => element?.focus()}
            className="mt-4 flex items-start gap-2 text-sm outline-none"
          >
            <CircleCheck size={18} aria-hidden className="mt-px shrink-0 text-gain" />
            Password updated successfully! You are now signed in.
          </p>
        ) : pending ? (
          <div className="mt-2">
            <p className="mb-2">Your new password is set.</p>
            <SecondStep account={account} pending={pending} onDone={finish} />
          </div>
        ) : isAsking ? (
          <div className="mt-2">
            <ForgotForm account={account} email={email} onEmailChange={setEmail} />
          </div>
        ) : (
          <form noValidate {...form} className="mt-4 space-y-3">
            {/* Password managers store the new password under this name. */}
            {token && accountEmail !== null && (
              <EmailField key={accountEmail} defaultValue={accountEmail} readOnly />
            )}
            <PasswordField
              label="New Password"
              name="new-password"
              autoComplete="new-password"
              onChange={event => setPassword(event.target.value)}
              hint={
                password === '' ? null : (
                  <StrengthMeter account={account} email={accountEmail ?? ''} password={password} />
                )
              }
            />
            <PasswordField label="Confirm Password" name="confirm-password" autoComplete="new-password" />
            {shown && <Notice message={shown} />}
            <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
              {isBusy ? 'Updating...' : 'Set New Password'}
            </Button>
            {(isSpent || !token) && (
              <Button size="wide" onClick={() => setAsking(true)}>
                Ask for a new link
              </Button>
            )}
          </form>
        )}
        <BackToHome />
      </div>
    </main>
  )
}
