import type { Lap } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { ShieldCheck, TriangleAlert } from 'lucide-react'
import { formatDelta } from '#shared/format/delta.ts'
import { CLEAN_HINT } from '#shared/laps/clean-hint.ts'
import type { LapNames } from '#shared/laps/lap-names.ts'
import { mainReason, reasonSentences, reasonWords } from '#shared/laps/reason-words.ts'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { useLater } from '#shared/ui/use-later.ts'
import type { LapBar } from './lap-bars.ts'

interface LapListProps {
  readonly laps: readonly Lap[]
  readonly names: LapNames
  readonly bars: ReadonlyMap<number, LapBar>
  readonly selected: Lap | undefined
  readonly onSelect: (lap: Lap) => void
}

/** The rows that render first. More than fit on a screen; the others follow a moment later. */
const FIRST_ROWS = 16

/** The list of laps. A press on a row selects its lap; a long list scrolls by itself. */
export function LapList({ laps, names, bars, selected, onSelect }: LapListProps) {
  const isLater = useLater()
  const shown = isLater ? laps : laps.slice(0, FIRST_ROWS)
  return (
    <ul aria-label="Laps" className="-mx-1 my-2 max-h-85 overflow-y-auto px-1">
      {shown.map((lap, index) => (
        <li
          key={lap.row_start}
          // A day of driving can hold hundreds of laps. The layout of rows far outside the view is skipped.
          className={clsx(
            index >= FIRST_ROWS && '[contain-intrinsic-size:auto_28px] [content-visibility:auto]',
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

function LapRow({ lap, session, bar, isSelected, onSelect }: LapRowProps) {
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
}

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
