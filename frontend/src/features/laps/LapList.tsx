import type { Lap } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { ShieldCheck, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { CLEAN_HINT } from '#shared/laps/clean-hint.ts'
import type { LapNames } from '#shared/laps/lap-names.ts'
import { mainReason, reasonSentences, reasonWords } from '#shared/laps/reason-words.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { useDrawnRows } from '#shared/ui/use-drawn-rows.ts'
import type { LapBar } from './lap-bars.ts'
import { MOST_LAPS, withSelected } from './lap-order.ts'

interface LapListProps {
  readonly laps: readonly Lap[]
  readonly names: LapNames
  readonly bars: ReadonlyMap<number, LapBar>
  readonly selected: Lap | undefined
  readonly onSelect: (lap: Lap) => void
}

/** Rows that fill the list's own height. */
const ROWS_IN_VIEW = 16

/** The list of laps. A press on a row selects its lap; a long list scrolls by itself. */
export function LapList({ laps, names, bars, selected, onSelect }: LapListProps) {
  const { drawn, more, showMore } = useDrawnRows(laps, MOST_LAPS)
  return (
    <ul aria-label="Laps" className="-mx-1 my-2 max-h-85 overflow-y-auto px-1">
      {withSelected(drawn, selected).map((lap, index) => (
        <li
          key={lap.row_start}
          // A day of driving can hold hundreds of laps. The layout of rows far outside the view is skipped.
          className={clsx(
            index >= ROWS_IN_VIEW && '[contain-intrinsic-size:auto_28px] [content-visibility:auto]',
          )}
        >
          <LapRow
            lap={lap}
            session={names.sessionOf(lap)}
            bar={bars.get(lap.row_start)}
            isSelected={lap === selected}
            onSelect={onSelect}
          />
        </li>
      ))}
      {more > 0 && (
        <li>
          <Button onClick={showMore}>Show {more} more</Button>
        </li>
      )}
    </ul>
  )
}

interface LapRowProps {
  readonly lap: Lap
  /** Null if the file has one session. */
  readonly session: string | null
  readonly bar: LapBar | undefined
  readonly isSelected: boolean
  readonly onSelect: (lap: Lap) => void
}

/** Remembered: each step of the list would render all rows before it again. */
const LapRow = memo(function LapRow({ lap, session, bar, isSelected, onSelect }: LapRowProps) {
  const row = (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={() => onSelect(lap)}
      className={clsx(
        'grid min-h-7 w-full cursor-pointer items-center gap-x-2 rounded-md px-2 text-left -outline-offset-2 pointer-coarse:min-h-11',
        lap.is_completed
          ? 'grid-cols-[minmax(3.5rem,max-content)_1fr_auto_2.75rem]'
          : 'grid-cols-[minmax(3.5rem,max-content)_1fr_auto]',
        isSelected ? 'bg-accent/15' : 'hover:bg-raised',
      )}
    >
      <span className="flex items-center gap-1 whitespace-nowrap">
        Lap {lap.lap}
        {session !== null && (
          <span className="max-w-20 truncate text-xs text-muted" title={session}>
            {session}
          </span>
        )}
        <LapMark lap={lap} />
      </span>
      {lap.is_completed ? (
        <>
          <span className="h-[3px] overflow-hidden rounded-full bg-raised">
            <span
              className={clsx('block h-full origin-left rounded-full', isSelected ? 'bg-accent' : 'bg-muted')}
              style={{ transform: `scaleX(${bar?.share ?? 0})` }}
            />
          </span>
          <span className={clsx(isSelected && 'font-semibold')}>{lap.time_fmt}</span>
          <span className="text-right text-xs text-muted">
            {bar && (bar.deltaS === 0 ? 'best' : formatDelta(bar.deltaS))}
          </span>
        </>
      ) : (
        <>
          <span className="truncate text-xs text-muted">{partialWords(lap)}</span>
          <span className="text-xs text-warning">(partial)</span>
        </>
      )}
    </button>
  )
  const sentences = reasonSentences(lap.reasons)
  const reasons = sentences.length > 0 && sentences.map(sentence => <p key={sentence}>{sentence}</p>)
  return (
    <Tooltip side="right" content={reasons}>
      {row}
    </Tooltip>
  )
})

/** A small sign beside the number: clean, or complete but not clean. Null if the file cannot show which. */
function LapMark({ lap }: { readonly lap: Lap }) {
  if (lap.is_clean) {
    return (
      <span title={CLEAN_HINT} className="text-muted">
        <ShieldCheck size={12} role="img" aria-label="Clean" />
      </span>
    )
  }
  const blemished = lap.is_completed && lap.reasons.some(reason => reason !== 'UNVERIFIABLE')
  return blemished ? (
    <TriangleAlert size={12} className="text-warning" role="img" aria-label="Not clean" />
  ) : null
}

function partialWords(lap: Lap): string {
  const reason = mainReason(lap.reasons)
  return [lap.time_fmt, reason && reasonWords[reason].short].filter(Boolean).join(' · ')
}
