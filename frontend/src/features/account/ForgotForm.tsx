import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { EmailField } from '#shared/ui/EmailField.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import type { Account } from './account.ts'
import { forgotProblem, sendResetLink } from './reset-password.ts'
import { useSubmit } from './use-submit.ts'

export interface ForgotFormProps {
  readonly account: Account
  readonly email: string
  readonly onEmailChange: (email: string) => void
}

/** Requests a link that sets a new password. */
export function ForgotForm({ account, email, onEmailChange }: ForgotFormProps) {
  /** The address of the sent link. The toast closes before the mail arrives. */
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => text('email'),
    check: forgotProblem,
    async send(email) {
      const failure = await sendResetLink(account, email)
      setProblem(failure)
      setSentTo(failure === null ? email.trim() : null)
    },
    fallback: 'Could not send reset link',
  })
  return (
    <form noValidate {...form} className="space-y-2.5">
      <p className="text-muted">We send you a link by which you can set a new password.</p>
      <EmailField
        autoFocus
        defaultValue={email}
        onValueChange={next => {
          onEmailChange(next)
          setSentTo(null)
        }}
      />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <p role="status" className="wrap-anywhere empty:hidden">
        {sentTo !== null &&
          problem === null &&
          `A mail is on its way to ${sentTo}. If it is not there in a minute, look among spam or send it again.`}
      </p>
      <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send reset link'}
      </Button>
    </form>
  )
}
