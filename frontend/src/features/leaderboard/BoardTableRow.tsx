import { clsx } from 'clsx'
import { GitCompareArrows, LoaderCircle, ShieldCheck } from 'lucide-react'
import { memo, type RefObject } from 'react'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { formatCount } from '#shared/format/count.ts'
import { formatDelta } from '#shared/format/delta.ts'
import { formatLapTimeMs } from '#shared/format/lap-time.ts'
import { CLEAN_HINT } from '#shared/laps/clean-hint.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { deltaStyle } from './delta-style.ts'
import { rankStyle } from './rank-style.ts'
import { YouBadge } from './YouBadge.tsx'

export interface BoardTableRowProps {
  readonly row: BoardRow
  /** Where the row goes if it is the driver's own; null for every other. */
  readonly ownRow: RefObject<HTMLTableRowElement | null> | null
  /** Why the lap cannot be a reference; null where it can. */
  readonly notAvailable: string | null
  /** Its lap is on its way. */
  readonly isLoading: boolean
  /** Says which laps are clean; on a board of clean laps all are. */
  readonly marksClean: boolean
  readonly onUse: (row: BoardRow) => void
}

const cell = 'border-b border-line px-2 py-0.5 max-sm:px-1'

/** A driver's place on the full board. */
export const BoardTableRow = memo(function BoardTableRow({
  row,
  ownRow,
  notAvailable,
  isLoading,
  marksClean,
  onUse,
}: BoardTableRowProps) {
  const { rank, display_name, best_lap_time_ms, delta_ms } = row
  const isOwn = ownRow !== null
  return (
    <tr
      ref={ownRow}
      // The focus comes here from Find Me.
      tabIndex={isOwn ? -1 : undefined}
      aria-current={isOwn || undefined}
      className={clsx(
        'h-[37px] scroll-mt-[37px] pointer-coarse:h-12 pointer-coarse:scroll-mt-12',
        isOwn && 'bg-accent/10 -outline-offset-2',
      )}
    >
      <td className={clsx(cell, 'font-semibold', rankStyle(rank))}>{formatCount(rank)}</td>
      <th scope="row" className={clsx(cell, 'text-left font-normal')}>
        <span className="flex min-w-0 items-center gap-1.5">
          <span
            // A narrow screen has room for most names in two lines, the narrowest in three.
            className="truncate max-sm:line-clamp-2 max-sm:leading-4 max-sm:wrap-anywhere max-sm:whitespace-normal max-[24rem]:line-clamp-3 max-[24rem]:text-xs max-[24rem]:leading-3.5"
            title={display_name}
          >
            {display_name}
          </span>
          {isOwn && (
            // The narrowest screen has no room for it, and says so at the end of the row.
            <span className="shrink-0 max-[24rem]:hidden">
              <YouBadge />
            </span>
          )}
          {marksClean && row.is_clean && (
            <span title={CLEAN_HINT} className="shrink-0 text-muted max-sm:hidden">
              <ShieldCheck size={12} role="img" aria-label="Clean lap" />
            </span>
          )}
        </span>
      </th>
      <td className={clsx(cell, 'text-right', isOwn && 'font-semibold')}>
        {formatLapTimeMs(best_lap_time_ms)}
      </td>
      <td className={clsx(cell, 'text-right', deltaStyle(delta_ms))}>
        {delta_ms === null ? '–' : formatDelta(delta_ms / 1000)}
      </td>
      <td className={clsx(cell, 'text-right')}>
        {isOwn ? (
          <span className="text-xs font-semibold text-muted max-sm:block max-sm:text-[11px] max-sm:leading-3.5">
            YOUR LAP
          </span>
        ) : notAvailable === null ? (
          <Button
            aria-disabled={isLoading}
            onClick={() => !isLoading && onUse(row)}
            aria-label={`Use as Reference: ${display_name}`}
            className="max-sm:size-8 max-sm:px-0 max-sm:pointer-coarse:size-11"
          >
            {isLoading ? (
              <LoaderCircle size={14} aria-hidden className="motion-safe:animate-spin" />
            ) : (
              <GitCompareArrows size={14} aria-hidden className="sm:hidden" />
            )}
            <span className="max-sm:hidden">Use as Reference</span>
          </Button>
        ) : (
          <Tooltip content={notAvailable} side="left">
            <Button
              variant="ghost"
              // Not `disabled`: the reason must be found by pointer and by key.
              aria-disabled
              aria-label={`Not Available: ${display_name}`}
              className="cursor-not-allowed px-0.5! aria-disabled:opacity-100! max-sm:w-full max-sm:px-0 max-sm:text-right max-sm:text-[11px] max-sm:leading-3.5 max-sm:whitespace-normal"
            >
              Not Available
            </Button>
          </Tooltip>
        )}
      </td>
    </tr>
  )
})
