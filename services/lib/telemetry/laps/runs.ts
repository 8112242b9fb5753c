import type { ColumnValues } from '../columns.ts'
import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'

/**
 * Returns the first row after `row`, up to `end`, with another value than that row. Flags, counters and
 * states repeat one value for thousands of rows. So callers that go from run to run test few values.
 */
export function endOfRun(values: ColumnValues, row: number, end: number): number {
  const value = values[row]
  let next = row + 1
  while (next < end && values[next] === value) next++
  return next
}

/**
 * Returns true if a channel has a matching value in the segment, in a row in which the car was in the world.
 */
export function hasRun(
  { kind }: LapData,
  segment: Segment,
  values: ColumnValues | null,
  test: (value: number) => boolean,
): boolean {
  if (values === null) return false
  const end = segment.rowEnd + 1
  for (let row = segment.rowStart; row < end; ) {
    const next = endOfRun(values, row, end)
    if (test(values[row]!)) {
      while (row < next && kind[row] === ROW.JUNK) row++
      if (row < next) return true
    }
    row = next
  }
  return false
}
