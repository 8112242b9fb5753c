import { CircleAlert, X } from 'lucide-react'
import { Button } from './Button.tsx'

interface NoticeProps {
  readonly message: string
  readonly onDismiss?: (() => void) | undefined
}

/** What went wrong, where it went wrong; read out at once. */
export function Notice({ message, onDismiss }: NoticeProps) {
  return (
    <div
      role="alert"
      className="flex items-center gap-2 rounded-control border border-loss/50 bg-card px-3 py-1.5 text-left text-sm"
    >
      <CircleAlert size={16} className="shrink-0 text-loss" aria-hidden />
      <p className="min-w-0 flex-1">{message}</p>
      {onDismiss && (
        <Button
          variant="ghost"
          size="icon"
          aria-label="Dismiss"
          onClick={event => {
            // The button goes with the notice; the focus stays in the part of the page it was in.
            event.currentTarget.parentElement
              ?.closest<HTMLElement>('[tabindex]')
              ?.focus({ preventScroll: true })
            onDismiss()
          }}
          className="-mr-2"
        >
          <X size={14} aria-hidden />
        </Button>
      )}
    </div>
  )
}
