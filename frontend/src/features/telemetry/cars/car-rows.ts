import type { CursorStore } from '../cursor-store.ts'
import { clockOf, rowBeside } from '../lap-clock.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { type LapSeries, rowInLap } from '../lap-series.ts'

/** Where both cars are, as rows of their own laps with a fraction between two rows; null if a car is not shown. */
export interface CarRows {
  readonly lap: number | null
  readonly reference: number | null
  /** Whether the clock is on: both cars are shown at one time, and not at one position. */
  readonly isRacing: boolean
}

/** Finds both cars by the cursor and its clock. All views use it, so that they show the same places (D-31). */
export function carRows(
  cursor: CursorStore,
  main: LapSeries | null,
  comparison: LapComparison | null,
): CarRows {
  const clock = clockOf(cursor)
  const row = main && rowInLap(cursor.get().row, main.lap)
  const isRacing = clock.get().timeS !== null
  if (!main || row === null) return { lap: null, reference: null, isRacing }
  const reference = comparison && rowBeside(clock, main, row, comparison.reference)
  return { lap: rowBeside(clock, main, row, main), reference, isRacing }
}
