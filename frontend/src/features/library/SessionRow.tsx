import { formatLapTime, type LapSummary } from '@lapwing/telemetry'
import { ChevronDown, FileWarning, GitCompareArrows } from 'lucide-react'
import { formatFileSize } from '#shared/format/file-size.ts'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { conditionWords } from '#shared/laps/lap-facts.ts'
import { lapNames } from '#shared/laps/lap-names.ts'
import { mainReason, reasonWords } from '#shared/laps/reason-words.ts'
import { temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { bestLap, fileName, isRead, type LibraryEntry, momentOf, type ReadEntry } from './library-entry.ts'
import { kindName, lapCounts } from './list-sessions.ts'
import { OutlineFigure } from './OutlineFigure.tsx'

interface SessionRowProps {
  readonly entry: LibraryEntry
  /** Only one row can have the focus by Tab; arrows reach the others. */
  readonly isTabStop: boolean
  readonly isExpanded: boolean
  readonly onExpand: () => void
  readonly onOpen: () => void
  /** Null if its laps cannot be the reference of the open session. */
  readonly onReference: ((lap: LapSummary) => void) | null
}

/** One session: a press opens it, and its laps unfold. */
export function SessionRow(props: SessionRowProps) {
  const { entry, isTabStop, isExpanded, onExpand, onOpen, onReference } = props
  const tabIndex = isTabStop ? 0 : -1
  if (!isRead(entry)) return <UnreadRow entry={entry} tabIndex={tabIndex} />
  const { summary } = entry
  const best = bestLap(summary)
  return (
    <>
      <div className="library-row">
        <button
          type="button"
          data-row
          tabIndex={tabIndex}
          onClick={onOpen}
          title={entry.path}
          className="library-open"
        >
          <OutlineFigure points={summary.outline} />
          <span className="library-names">
            <span className="font-semibold">{summary.meta.track_label}</span>
            <span className="text-xs text-muted">
              <Facts entry={entry} />
            </span>
          </span>
          <span className="library-best">
            {best && <span className="text-sm font-semibold">{formatLapTime(best.time_s)}</span>}
            <span className="text-xs text-muted">{lapCounts(entry)}</span>
          </span>
        </button>
        <Button
          variant="ghost"
          size="icon"
          tabIndex={tabIndex}
          aria-expanded={isExpanded}
          aria-label={`Laps of ${summary.meta.track_label}, ${momentOf(entry)}`}
          onClick={onExpand}
        >
          <ChevronDown size={16} aria-hidden className="library-chevron" />
        </Button>
      </div>
      {isExpanded && <Laps entry={entry} onReference={onReference} />}
    </>
  )
}

function UnreadRow({ entry, tabIndex }: { readonly entry: LibraryEntry; readonly tabIndex: number }) {
  return (
    <div data-row tabIndex={tabIndex} className="library-row library-unread">
      <FileWarning size={18} aria-hidden className="shrink-0 text-warning" />
      <div className="library-names">
        <span className="font-semibold wrap-anywhere">{fileName(entry)}</span>
        <span className="text-xs text-muted">
          {entry.problem} {formatFileSize(entry.size)}, {momentOf(entry)}.
        </span>
      </div>
    </div>
  )
}

function Facts({ entry }: { readonly entry: ReadEntry }) {
  const unit = useStore(temperatureUnit)
  const { meta, kinds, partial } = entry.summary
  return [
    meta.car_label,
    momentOf(entry),
    kinds.map(kindName).join(', '),
    conditionWords({ air_temp_c: meta.weather.AirTemp, skies: meta.weather.Skies }, unit),
    partial && 'cut short',
  ]
    .filter(Boolean)
    .join(' · ')
}

interface LapsProps {
  readonly entry: ReadEntry
  readonly onReference: SessionRowProps['onReference']
}

function Laps({ entry, onReference }: LapsProps) {
  const { laps } = entry.summary
  const best = bestLap(entry.summary)
  if (laps.length === 0) return <p className="library-laps text-muted">The file has no lap.</p>
  const { nameOf } = lapNames(laps)
  return (
    <ul aria-label="Laps" className="library-laps">
      {laps.slice(0, MAX_SHOWN).map(lap => (
        <li key={lap.row_start}>
          <span className="text-muted">{nameOf(lap)}</span>
          <span className={lap === best ? 'font-semibold text-accent' : undefined}>
            {isTimedLap(lap) ? formatLapTime(lap.time_s) : '–'}
          </span>
          <span className="library-verdict text-muted">{verdictOf(lap)}</span>
          {onReference && isTimedLap(lap) && (
            <Button variant="ghost" onClick={() => onReference(lap)}>
              <GitCompareArrows size={14} aria-hidden />
              Use as Reference
            </Button>
          )}
        </li>
      ))}
      {laps.length > MAX_SHOWN && <li className="text-muted">{laps.length - MAX_SHOWN} more laps.</li>}
    </ul>
  )
}

/** A row with more laps would be longer than the page can lay out in a frame. */
const MAX_SHOWN = 200

function verdictOf({ is_clean, reasons, incidents }: LapSummary): string {
  if (is_clean) return 'clean'
  const reason = mainReason(reasons)
  const words = reason === null ? '' : reasonWords[reason].short
  return incidents > 1 ? `${words}, ${incidents} incidents` : words
}
