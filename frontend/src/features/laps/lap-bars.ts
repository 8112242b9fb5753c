import { type Lap, lapTimeMs } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'

/** The bar that the list draws beside a completed lap. */
export interface LapBar {
  /** Seconds slower than the fastest completed lap. */
  readonly deltaS: number
  /** Length of the bar, 0..1. The fastest lap has 1. */
  readonly share: number
}

/** Share of the fastest time. A lap this much slower has the shortest bar, unless another is slower still. */
const WIDE_SPREAD = 0.01
const SHORTEST = 0.25

/** Returns bars by a lap's first row. Each compares its lap with the session's fastest and slowest. */
export function lapBars(laps: readonly Lap[]): ReadonlyMap<number, LapBar> {
  const timed = laps.filter(isTimedLap)
  // Whole milliseconds, so that a gap is the difference of the times that are shown.
  const times = timed.map(({ time_s }) => lapTimeMs(time_s) / 1000)
  const best = Math.min(...times)
  // Laps within a few thousandths must not look far apart.
  const spread = Math.max(Math.max(...times) - best, best * WIDE_SPREAD)
  return new Map(
    timed.map(({ row_start }, i) => {
      const deltaS = times[i]! - best
      return [row_start, { deltaS, share: 1 - (1 - SHORTEST) * (deltaS / spread) }]
    }),
  )
}
