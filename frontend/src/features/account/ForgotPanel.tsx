import { ArrowLeft } from 'lucide-react'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import type { Account } from './account.ts'
import { forgotProblem, sendResetLink } from './reset-password.ts'
import { useSubmit } from './use-submit.ts'

export interface ForgotPanelProps {
  readonly account: Account
  readonly email: string
  readonly onEmailChange: (email: string) => void
  readonly onBack: () => void
}

/** Asks for a link by which a new password can be set. */
export function ForgotPanel({ account, email, onEmailChange, onBack }: ForgotPanelProps) {
  const { isBusy, problem, setProblem, onSubmit } = useSubmit({
    check: () => forgotProblem(email),
    send: async () => setProblem(await sendResetLink(account, email)),
    fallback: 'Could not send reset link',
  })
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-2.5">
      <h2 className="text-base font-semibold">Reset password</h2>
      <p className="text-muted">We send you a link by which you can set a new password.</p>
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={email}
        onChange={event => onEmailChange(event.target.value)}
      />
      <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send reset link'}
      </Button>
      <button
        type="button"
        onClick={onBack}
        className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-sm font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        <ArrowLeft size={15} aria-hidden />
        Back to sign in
      </button>
    </form>
  )
}
