import { Button } from '#shared/ui/Button.tsx'

interface ConfirmRemovalProps {
  readonly question: string
  readonly action: string
  readonly isBusy: boolean
  readonly onCancel: () => void
  readonly onConfirm: () => Promise<void>
}

/** Asks before something is removed. */
export function ConfirmRemoval({ question, action, isBusy, onCancel, onConfirm }: ConfirmRemovalProps) {
  return (
    <div className="space-y-2">
      <p role="status" className="font-medium">
        {question}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button autoFocus isBlocked={isBusy} onClick={onCancel}>
          Keep it
        </Button>
        <Button variant="danger" isBlocked={isBusy} onClick={() => void onConfirm()}>
          {action}
        </Button>
      </div>
    </div>
  )
}
