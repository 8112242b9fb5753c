import type { Lap } from './lap.ts'

/**
 * Returns when each lap began: the start of the recording plus the seconds recorded since. The clock restarts
 * between two sessions of a file. The unknown time between them counts as none. Returns null for each lap if
 * the file has no date.
 *
 * @param laps all laps of a file, in its order
 */
export function drivenAt(
  laps: readonly Lap[],
  sessionTime: ArrayLike<number>,
  startDate: Date | null,
): (Date | null)[] {
  let elapsedS = 0
  return laps.map((lap, i) => {
    const before = laps[i - 1]
    if (before !== undefined) elapsedS += elapsedBetween(before, lap, sessionTime)
    return startDate === null || !Number.isFinite(elapsedS)
      ? null
      : new Date(startDate.getTime() + Math.round(elapsedS * 1000))
  })
}

/** Seconds from the first row of one lap to that of the next. */
function elapsedBetween(before: Lap, lap: Lap, sessionTime: ArrayLike<number>): number {
  const startS = sessionTime[before.row_start]!
  const spanS = sessionTime[lap.row_start]! - startS
  if (before.session_num === lap.session_num && spanS >= 0) return spanS
  return Math.max(0, sessionTime[before.row_end]! - startS)
}
