import { clsx } from 'clsx'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { formatCount } from '#shared/format/count.ts'
import { formatDelta } from '#shared/format/delta.ts'
import { formatLapTimeMs } from '#shared/format/lap-time.ts'
import { lossStyle } from './delta-style.ts'
import { rankStyle } from './rank-style.ts'

interface OwnRankProps {
  readonly me: BoardRow
  readonly total: number
}

/** The driver's rank, lap time and delta to the leader. The leader has no delta. */
export function OwnRank({ me, total }: OwnRankProps) {
  const { rank, best_lap_time_ms, delta_ms } = me
  return (
    <dl className="mt-0.5 mb-2 grid min-h-14 grid-cols-[1fr_auto] items-baseline">
      <dt className="sr-only">Position</dt>
      <dd className={clsx('text-[26px] leading-9 font-semibold', rankStyle(rank))}>#{formatCount(rank)}</dd>
      <dt className="sr-only">Best lap</dt>
      <dd className="col-start-2 row-start-1 text-right text-base font-semibold">
        {formatLapTimeMs(best_lap_time_ms)}
      </dd>
      <dd className="col-start-1 text-xs text-muted">of {formatCount(total)}</dd>
      {rank > 1 && delta_ms !== null && (
        <>
          <dt className="sr-only">Delta</dt>
          <dd className={clsx('col-start-2 row-start-2 text-right text-xs', lossStyle(delta_ms))}>
            {formatDelta(delta_ms / 1000)} to P1
          </dd>
        </>
      )}
    </dl>
  )
}
