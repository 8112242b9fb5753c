import type { LapSeries } from '../lap-series.ts'

/** Metres before and after the car over which its direction is measured, so that noise of positions does not turn it. */
const REACH_M = 6
/** A car that moves less than this has no direction. */
const LEAST_M = 1
/** A longer step between two rows was not driven. */
const MAX_STEP_M = 100

/**
 * Returns the driving direction of a car in radians, clockwise from east, as on a canvas. It comes from the line that
 * the car drove. Null if the car has no position or never moved there.
 *
 * @param east metres of a row to the east of any place; NaN without a position
 * @param south metres to the south of it
 * @param row a row of the lap, with a fraction between two rows
 */
export function carDirection(
  east: (row: number) => number,
  south: (row: number) => number,
  row: number,
  { row_start, row_end }: Pick<LapSeries['lap'], 'row_start' | 'row_end'>,
): number | null {
  const apart = (a: number, b: number) => Math.hypot(east(b) - east(a), south(b) - south(a))
  const middle = Math.floor(row)
  const walk = (step: 1 | -1, end: number) => {
    let at = middle
    while (at !== end && apart(middle, at) < REACH_M && apart(at, at + step) <= MAX_STEP_M) at += step
    return at
  }
  const before = walk(-1, row_start)
  const after = walk(1, row_end)
  if (!(apart(before, after) >= LEAST_M)) return null
  return Math.atan2(south(after) - south(before), east(after) - east(before))
}
