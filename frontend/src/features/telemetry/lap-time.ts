import type { LapSeries } from './lap-series.ts'

/** What is needed to tell the time of a lap. */
export type TimedLap = Pick<LapSeries, 'preview' | 'lap'>

/** Returns the seconds since the line at a row. A lap that does not begin at the line counts from its first row. */
export function secondsAt(of: TimedLap, row: number): number {
  return timeOf(of, row) - lineTime(of)
}

/** Returns the seconds from the line to the lap's last row. */
export function lapSeconds(of: TimedLap): number {
  return secondsAt(of, of.lap.row_end)
}

/**
 * Returns where a lap is at a time in seconds since the line: its row, with a fraction between two rows. Before
 * and after the lap it is the first or the last row.
 */
export function rowAtTime(of: TimedLap, timeS: number): number {
  const { row_start, row_end } = of.lap
  const wanted = timeS + lineTime(of)
  let low = row_start
  let high = row_end
  // Ends at the last row that is not after the time.
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (timeOf(of, middle) <= wanted) low = middle
    else high = middle - 1
  }
  if (low === row_end) return row_end
  const step = timeOf(of, low + 1) - timeOf(of, low)
  return step > 0 ? low + Math.min(1, Math.max(0, (wanted - timeOf(of, low)) / step)) : low
}

/** Returns a series between two rows; NaN if one of them has no value. */
export function valueAtRow(values: ArrayLike<number>, row: number): number {
  const before = Math.floor(row)
  const share = row - before
  return share === 0 ? values[before]! : values[before]! * (1 - share) + values[before + 1]! * share
}

/** Returns by how many metres another lap is ahead at a time since the line; negative if it is behind. */
export function gapM(of: TimedLap, other: TimedLap, lengthM: number, timeS: number): number {
  const [own, others] = [of, other].map(lap => valueAtRow(lap.preview.lapDistPct, rowAtTime(lap, timeS)))
  return (others! - own!) * lengthM
}

/** Seconds. The line is nearer to the first row of a lap than this. */
const MAX_TO_LINE_S = 0.1

/** Returns the time at the line: the first row of a lap is up to one sample behind it. */
function lineTime(of: TimedLap): number {
  const { preview, lap } = of
  const first = timeOf(of, lap.row_start)
  if (!lap.is_completed || lap.row_end === lap.row_start) return first
  const share = preview.lapDistPct[lap.row_start]!
  const step = preview.lapDistPct[lap.row_start + 1]! - share
  const sinceS = (share / step) * (timeOf(of, lap.row_start + 1) - first)
  return sinceS >= 0 && sinceS <= MAX_TO_LINE_S ? first - sinceS : first
}

function timeOf({ preview }: TimedLap, row: number): number {
  const time = preview.sessionTime[row]!
  return Number.isFinite(time) ? time : row / preview.meta.sample_rate_hz
}
