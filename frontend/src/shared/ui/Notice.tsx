import { CircleAlert, X } from 'lucide-react'
import { Button } from './Button.tsx'

interface NoticeProps {
  readonly message: string
  readonly onDismiss?: (() => void) | undefined
}

/** A problem, shown where it happened; screen readers read it out immediately. */
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
            // The button disappears with the notice, so the focus moves to the part of the page around it.
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
