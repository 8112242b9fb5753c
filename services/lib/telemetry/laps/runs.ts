import type { ColumnValues } from '../columns.ts'
import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'

/**
 * First row after `row`, up to `end`, whose value differs from that row's. Flags, counters and states
 * keep a value for thousands of rows, so whoever walks them from run to run asks little, and this
 * one loop does the walking for all of them.
 */
export function endOfRun(values: ColumnValues, row: number, end: number): number {
  const value = values[row]
  let next = row + 1
  while (next < end && values[next] === value) next++
  return next
}

/** True where a channel has such a value in the segment, in a row at which the car was in the world. */
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
