import { Button } from '#shared/ui/Button.tsx'

interface LateNoticeProps {
  /** Why the part is missing. */
  readonly problem: string
  readonly isFailed: boolean
  readonly isLoading: boolean
  readonly onRetry: () => void
}

/** Replaces a part of a section whose code is not there yet, or could not be loaded. */
export function LateNotice({ problem, isFailed, isLoading, onRetry }: LateNoticeProps) {
  if (!isFailed) {
    return (
      <p role="status" className="text-muted">
        Loading…
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="alert">{problem}</p>
      <Button isBlocked={isLoading} onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
