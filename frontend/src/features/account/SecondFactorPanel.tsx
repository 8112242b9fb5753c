import { ArrowLeft } from 'lucide-react'
import type { Account } from './account.ts'
import { SecondStep } from './SecondStep.tsx'
import type { PendingSignIn } from './second-factor.ts'

interface SecondFactorPanelProps {
  readonly account: Account
  readonly pending: PendingSignIn
  readonly onBusy: (isBusy: boolean) => void
  readonly onDone: () => void
  readonly onBack: () => void
}

/** Replaces the tabs of the auth dialog while a sign-in needs its second factor. */
export function SecondFactorPanel({ account, pending, onBusy, onDone, onBack }: SecondFactorPanelProps) {
  return (
    <div className="space-y-2.5">
      <h2 className="text-base font-semibold">Second step</h2>
      <SecondStep
        account={account}
        pending={pending}
        onBusy={onBusy}
        onDone={() => {
          if (!pending.newName) account.notify.success('Welcome back!')
          onDone()
        }}
      />
      <button
        type="button"
        onClick={onBack}
        className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-sm font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        <ArrowLeft size={15} aria-hidden />
        Back to sign in
      </button>
    </div>
  )
}
