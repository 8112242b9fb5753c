import { CircleAlert } from 'lucide-react'
import { Button } from './Button.tsx'
import { NOT_RELOADED, useSafeLeave } from './use-safe-leave.ts'

interface LoadProblemProps {
  readonly isBusy: boolean
  readonly onRetry: () => void
}

/** Replaces a part of the page if its code could not be loaded. The rest of the page still works. */
export function LoadProblem({ isBusy, onRetry }: LoadProblemProps) {
  const { isAway, isAsking, leave } = useSafeLeave()
  return (
    <div>
      <p role="alert" className="flex gap-2">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-loss" aria-hidden />
        <span className="min-w-0 flex-1">
          {isAway
            ? NOT_RELOADED
            : 'This part of the page could not be loaded. Your network is away, or Lapwing was updated while this tab was open. Retry, or reload the page.'}
        </span>
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <Button isBlocked={isAsking} onClick={() => void leave(() => location.reload())}>
          Reload
        </Button>
        <Button variant="primary" isBlocked={isBusy} onClick={onRetry}>
          {isBusy ? 'Loading...' : 'Retry'}
        </Button>
      </div>
    </div>
  )
}
