import { clsx } from 'clsx'
import { GitCompareArrows, LoaderCircle, ShieldCheck } from 'lucide-react'
import { type ComponentProps, memo, type RefObject } from 'react'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { formatCount } from '#shared/format/count.ts'
import { formatDelta } from '#shared/format/delta.ts'
import { formatLapTimeMs } from '#shared/format/lap-time.ts'
import { CLEAN_HINT } from '#shared/laps/clean-hint.ts'
import { conditionWords, formatDay, kindWords } from '#shared/laps/lap-facts.ts'
import { temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import type { ReportReason } from './board-api.ts'
import { deltaStyle } from './delta-style.ts'
import { ReportMenu } from './ReportMenu.tsx'
import { rankStyle } from './rank-style.ts'
import { USE_HINT } from './reference-words.ts'
import { YouBadge } from './YouBadge.tsx'

interface BoardTableRowProps {
  readonly row: BoardRow
  /** Receives the row's element if it is the driver's own; null for every other row. */
  readonly ownRow: RefObject<HTMLTableRowElement | null> | null
  /** Why the lap cannot be a reference; null if it can. */
  readonly notAvailable: string | null
  /** Its lap is being loaded as the reference. */
  readonly isLoading: boolean
  /** Whether to mark clean laps. On a board of clean laps every lap is clean. */
  readonly marksClean: boolean
  readonly onUse: (row: BoardRow) => void
  /** Reports the driver; null while the row has its usual button. */
  readonly onReport: ((row: BoardRow, reason: ReportReason) => Promise<void>) | null
}

/** Columns for which only a wide window has room. */
export const WIDE_ONLY = 'max-[1179px]:hidden'

const CELL = 'border-b border-line px-2 py-0.5 max-sm:px-1'

/** One entry of the full board. */
export const BoardTableRow = memo(function BoardTableRow(props: BoardTableRowProps) {
  const { row, ownRow, notAvailable, isLoading, marksClean, onUse, onReport } = props
  const unit = useStore(temperatureUnit)
  const { rank, display_name, best_lap_time_ms, delta_ms } = row
  const isOwn = ownRow !== null
  const isAvailable = notAvailable === null
  const use = { isAvailable, isLoading, onClick: () => isAvailable && !isLoading && onUse(row) }
  return (
    <tr
      ref={ownRow}
      // Find Me moves the focus here.
      tabIndex={isOwn ? -1 : undefined}
      aria-current={isOwn || undefined}
      className={clsx(
        'h-[37px] scroll-mt-[37px] pointer-coarse:h-12 pointer-coarse:scroll-mt-12',
        isOwn && 'bg-accent/10 -outline-offset-2',
      )}
    >
      <td className={clsx(CELL, 'font-semibold', rankStyle(rank))}>{formatCount(rank)}</td>
      <th scope="row" className={clsx(CELL, 'relative text-left font-normal')}>
        <span className="flex min-w-0 items-center gap-1.5">
          <span
            // On a narrow screen most names fit in two lines; the narrowest screens need three.
            className="truncate max-sm:line-clamp-2 max-sm:leading-4 max-sm:wrap-anywhere max-sm:whitespace-normal max-[24rem]:line-clamp-3 max-[24rem]:text-xs max-[24rem]:leading-3.5"
            title={display_name}
          >
            {display_name}
          </span>
          {isOwn && (
            // On a narrow screen the badge takes the place of the delta, so that the name has the whole cell.
            <span className="shrink-0 max-sm:absolute max-sm:top-0 max-sm:left-full max-sm:flex max-sm:h-full max-sm:w-33 max-sm:items-center max-sm:justify-end max-sm:pr-1">
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
      <td className={clsx(CELL, 'text-right', isOwn && 'font-semibold')}>
        {formatLapTimeMs(best_lap_time_ms)}
      </td>
      <td className={clsx(CELL, 'text-right', deltaStyle(delta_ms))}>
        {delta_ms === null ? (
          <span className={clsx(isOwn && 'max-sm:invisible')}>–</span>
        ) : (
          formatDelta(delta_ms / 1000)
        )}
      </td>
      <td className={clsx(CELL, WIDE_ONLY, 'text-muted')}>
        {row.driven_at == null ? '–' : <time dateTime={row.driven_at}>{formatDay(row.driven_at)}</time>}
      </td>
      <td className={clsx(CELL, WIDE_ONLY, 'text-muted')}>{kindWords(row) ?? '–'}</td>
      <td className={clsx(CELL, WIDE_ONLY, 'truncate text-muted')}>{conditionWords(row, unit) ?? '–'}</td>
      <td className={clsx(CELL, 'text-right')}>
        {!isOwn && onReport ? (
          <ReportMenu name={display_name} onReport={reason => onReport(row, reason)} />
        ) : (
          <Tooltip content={notAvailable ?? USE_HINT} side="left">
            {/* One button in both states, so that the focus stays when a driver finds by keyboard that a lap
                is not available. */}
            {isOwn ? <OwnLapButton {...use} /> : <UseButton {...use} name={display_name} />}
          </Tooltip>
        )}
      </td>
    </tr>
  )
})

interface OwnLapButtonProps extends ComponentProps<'button'> {
  readonly isAvailable: boolean
  readonly isLoading: boolean
}

/** The label of the driver's own row; a press takes the lap as the reference. */
function OwnLapButton({ isAvailable, isLoading, ...props }: OwnLapButtonProps) {
  const Sign = isLoading ? LoaderCircle : GitCompareArrows
  return (
    <Button
      {...props}
      variant={isAvailable ? 'secondary' : 'ghost'}
      aria-disabled={!isAvailable || isLoading}
      aria-label={isAvailable ? 'Use as Reference: YOUR LAP' : 'YOUR LAP'}
      className={clsx(
        'text-xs font-semibold! max-sm:w-full max-sm:px-0 max-sm:text-[11px] max-sm:leading-3.5 max-sm:whitespace-normal',
        !isAvailable && 'aria-disabled:opacity-100!',
      )}
    >
      {isAvailable && (
        <Sign
          size={14}
          aria-hidden
          className={clsx('max-sm:hidden', isLoading && 'motion-safe:animate-spin')}
        />
      )}
      YOUR LAP
    </Button>
  )
}

interface UseButtonProps extends OwnLapButtonProps {
  readonly name: string
}

function UseButton({ name, isAvailable, isLoading, ...props }: UseButtonProps) {
  return (
    <Button
      {...props}
      variant={isAvailable ? 'secondary' : 'ghost'}
      // Not `disabled`: pointer and keyboard must be able to reach the reason.
      aria-disabled={!isAvailable || isLoading}
      aria-label={`${isAvailable ? 'Use as Reference' : 'Not Available'}: ${name}`}
      className={clsx(
        'max-sm:w-full max-sm:px-0 max-sm:text-[11px] max-sm:leading-3.5 max-sm:tracking-tighter max-sm:whitespace-normal',
        !isAvailable && 'cursor-not-allowed px-0.5! aria-disabled:opacity-100! max-sm:text-right',
      )}
    >
      {isAvailable && isLoading && (
        <LoaderCircle size={14} aria-hidden className="motion-safe:animate-spin" />
      )}
      <span className={clsx(isAvailable && isLoading && 'max-sm:hidden')}>
        {isAvailable ? 'Use as Reference' : 'Not Available'}
      </span>
    </Button>
  )
}
