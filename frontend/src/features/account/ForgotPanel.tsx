import { ArrowLeft } from 'lucide-react'
import { ForgotForm, type ForgotFormProps } from './ForgotForm.tsx'

interface ForgotPanelProps extends ForgotFormProps {
  readonly onBack: () => void
}

/** Replaces the tabs of the auth dialog. */
export function ForgotPanel({ onBack, ...form }: ForgotPanelProps) {
  return (
    <div className="space-y-2.5">
      <h2 className="text-base font-semibold">Reset password</h2>
      <ForgotForm {...form} />
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
