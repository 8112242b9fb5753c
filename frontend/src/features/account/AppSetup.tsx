import type { NewTotp } from '@lapwing/identity-client/contract'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import type { Account } from './account.ts'
import { CodeField } from './CodeField.tsx'
import { addSecondFactor, type PendingSignIn, secondFactorProblem } from './second-factor.ts'
import { useSubmit } from './use-submit.ts'

interface AppSetupProps {
  readonly account: Account
  readonly app: NewTotp
  /** The sign-in that the app completes; null in the settings. */
  readonly pending?: PendingSignIn | null
  readonly onConfirmed: () => Promise<void>
  readonly onCancel: () => void
  readonly onBusy?: ((isBusy: boolean) => void) | undefined
}

/** Shows the key of a new authenticator app. It counts only after a first code. */
export function AppSetup({ account, app, pending = null, onBusy, onConfirmed, onCancel }: AppSetupProps) {
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => ({ kind: 'code' as const, text: text('first-code') }),
    check: secondFactorProblem,
    async send(factor) {
      await addSecondFactor(account, pending, factor)
      await onConfirmed()
    },
    onBusy,
    fallback: 'The code could not be checked. Please try again.',
  })
  return (
    <form noValidate {...form} className="space-y-2.5">
      <p>Scan this with your authenticator app, or type the key into it.</p>
      <div className="flex flex-wrap items-center gap-4">
        <img
          src={app.qr_code}
          alt="QR code with the key for your authenticator app"
          width={160}
          height={160}
          // Dark on white in both themes: many apps read nothing else.
          className="shrink-0 rounded-control border border-line"
        />
        <div className="min-w-0 flex-1 basis-44">
          <p className="text-xs font-semibold text-muted">Key</p>
          <p className="font-mono text-sm wrap-anywhere select-all">{inGroups(app.secret)}</p>
          <p className="mt-2 text-xs text-muted">Time-based, six digits, 30 seconds.</p>
        </div>
      </div>
      <CodeField label="Code that the app shows" name="first-code" />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : 'Confirm'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

/** Groups of four are easier to type. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}
