import { clsx } from 'clsx'
import type { KeyboardEvent } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { isChosen, showCorner } from './corner-steps.ts'
import type { DistanceViewStore } from './distance-view-store.ts'
import type { LapComparison } from './lap-comparison.ts'
import { moveTabStop } from './tab-stop.ts'

interface CornerButtonsProps {
  /** "Corners on the traces". */
  readonly label: string
  readonly comparison: LapComparison
  readonly view: DistanceViewStore
  readonly className: string
}

/**
 * The numbers of the corners, as buttons that show their corner in all views. One stop of the Tab key; arrows go from
 * number to number. The coordinator of the view places them.
 */
export function CornerButtons({ label, comparison, view, className }: CornerButtonsProps) {
  const chosen = useStore(view, range => range?.chosen)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (moveTabStop(event.currentTarget, event.key)) event.preventDefault()
  }

  return (
    <div role="toolbar" aria-label={label} data-part="corners" onKeyDown={onKeyDown} className={className}>
      {comparison.corners.map(corner => (
        <button
          key={corner.name}
          type="button"
          data-part="corner-number"
          // Until the coordinator has placed it.
          hidden
          tabIndex={-1}
          aria-label={corner.name}
          aria-pressed={isChosen(corner, chosen)}
          onClick={() => showCorner(isChosen(corner, chosen) ? null : corner, comparison, view)}
          className={clsx(
            'pointer-events-auto absolute top-0 left-0 grid size-6 cursor-pointer place-items-center rounded-md font-semibold text-[11px] tabular-nums -outline-offset-1 hover:bg-raised hover:text-text disabled:pointer-events-none',
            isChosen(corner, chosen) ? 'bg-raised text-accent' : 'text-muted',
          )}
        >
          {corner.label}
        </button>
      ))}
    </div>
  )
}
