import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { formatCount } from '#shared/format/count.ts'
import { formatDelta } from '#shared/format/delta.ts'
import { formatLapTimeMs } from '#shared/format/lap-time.ts'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { deltaStyle } from './delta-style.ts'
import { rankStyle } from './rank-style.ts'
import { USE_HINT } from './reference-words.ts'
import { YouBadge } from './YouBadge.tsx'

interface CardRowsProps {
  readonly rows: readonly BoardRow[]
  /** The driver's own row, which deltas compare with; null if the driver has no entry. */
  readonly me: BoardRow | null
  readonly canUse: (row: BoardRow) => boolean
  readonly onUse: (row: BoardRow) => unknown
}

/** A few rows of a board. A press on a row loads its lap as the reference, if that is possible. */
export function CardRows({ rows, me, canUse, onUse }: CardRowsProps) {
  return (
    <ol
      aria-label="Around you on the leaderboard"
      // Columns are as wide as the widest row needs; the names get the rest.
      className="-mx-1 grid grid-cols-[minmax(1.25rem,auto)_minmax(0,1fr)_auto_auto] gap-x-2"
    >
      {rows.map(row => {
        const isMe = row.user_id === me?.user_id
        const content = <RowContent row={row} me={me} isMe={isMe} />
        return (
          <li key={row.user_id} className="col-span-full grid grid-cols-subgrid">
            {!isMe && canUse(row) ? (
              <Tooltip side="right" content={USE_HINT}>
                <button
                  type="button"
                  onClick={() => void onUse(row)}
                  className={clsx(ROW_STYLE, 'cursor-pointer text-left -outline-offset-2 hover:bg-raised')}
                >
                  {content}
                  <span className="sr-only">Use as Reference</span>
                </button>
              </Tooltip>
            ) : (
              <div className={clsx(ROW_STYLE, isMe && 'bg-accent/10')}>{content}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const ROW_STYLE =
  'col-span-full grid min-h-7 grid-cols-subgrid items-center rounded-md px-1.5 md:max-lg:min-h-8 pointer-coarse:min-h-11'

/** Characters of a name that fit into one line on a wide screen. */
const ONE_LINE = 16

interface RowContentProps extends Pick<CardRowsProps, 'me'> {
  readonly row: BoardRow
  readonly isMe: boolean
}

function RowContent({ row, me, isMe }: RowContentProps): ReactNode {
  const deltaMs = me && row.best_lap_time_ms - me.best_lap_time_ms
  return (
    <>
      <span className={clsx('font-semibold', rankStyle(row.rank))}>{formatCount(row.rank)}</span>
      <span
        className={clsx(
          // On a screen of middle width most names need two lines, which are as high as the row.
          'truncate md:max-lg:line-clamp-2 md:max-lg:text-xs md:max-lg:leading-3.5 md:max-lg:wrap-anywhere md:max-lg:whitespace-normal',
          row.display_name.length > ONE_LINE &&
            'lg:line-clamp-2 lg:text-xs lg:leading-3.5 lg:wrap-anywhere lg:whitespace-normal',
        )}
        title={row.display_name}
      >
        {row.display_name}
      </span>
      {isMe && (
        // In place of the delta: the driver's own row has none.
        <span className="col-start-4 row-start-1 text-right">
          <YouBadge />
        </span>
      )}
      <span className={clsx('col-start-3', isMe && 'font-semibold')}>
        {formatLapTimeMs(row.best_lap_time_ms)}
      </span>
      {!isMe && deltaMs !== null && (
        <span className={clsx('text-right text-xs', deltaStyle(deltaMs))}>{formatDelta(deltaMs / 1000)}</span>
      )}
    </>
  )
}
