import { valueAt } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'

/** Even parts of a lap in which its losses are shown. */
export const MINI_SECTORS = 25

/**
 * Returns the seconds that a lap takes for each of `count` even parts of its distance, in driving order. Part `i` goes
 * from `i / count` to `(i + 1) / count` of the lap. They add up to the interpolated lap time, the last of `track.time`.
 */
export function miniSectorTimes({ time }: LapTrack, count = MINI_SECTORS): Float64Array {
  const seconds = new Float64Array(count)
  for (let i = 0; i < count; i++) seconds[i] = valueAt(time, (i + 1) / count) - valueAt(time, i / count)
  return seconds
}
