import type { Columns } from '../columns.ts'
import { findSegments, type Segment } from './find-segments.ts'
import { formatLapTime } from './format-lap-time.ts'
import { findIncidents } from './incidents.ts'
import { judgeLap } from './judge-laps.ts'
import { INCOMPLETE_REASONS, type Lap, type LapReason } from './lap.ts'
import { type LapData, type LapFacts, lapData, ROW } from './lap-data.ts'
import { timeLaps } from './time-laps.ts'

/**
 * Finds, times and judges every lap of a file, in file order, partial laps included. Pure, in linear time.
 * Odd values make laps with reasons, not errors. Throws `ibt.too_many_laps` above `MAX_LAPS` laps. `columns`
 * needs `LAP_CHANNELS`. Returns no laps if `SessionTime` or `LapDistPct` is missing.
 */
export function findLaps(columns: Columns, facts: LapFacts): Lap[] {
  const data = lapData(columns, facts)
  return data === null ? [] : findLapsIn(data)
}

/** Finds laps as `findLaps` does, in channels that were looked up already. */
export function findLapsIn(data: LapData): Lap[] {
  const segments = findSegments(data)
  const timings = timeLaps(data, segments)
  return segments.map((segment, i) => {
    const timing = timings[i]!
    const next = segments[i + 1] ?? null
    const reasons = judgeLap({ data, segment, previous: segments[i - 1] ?? null, next, timing })
    const timeS = timing.officialS ?? timing.interpolatedS
    return {
      lap: lapNumber(data, segment, i),
      is_completed: !reasons.some(reason => INCOMPLETE.has(reason)),
      is_clean: reasons.length === 0,
      reasons,
      time_s: timeS,
      time_fmt: formatLapTime(timeS),
      time_source: timing.officialS !== null ? 'official' : timeS !== null ? 'interpolated' : null,
      row_start: segment.rowStart,
      row_end: segment.rowEnd,
      incidents: findIncidents(data, segment, next),
      session_num: segment.sessionNum,
      session_name: data.sessionNames?.get(segment.sessionNum) ?? null,
    }
  })
}

const INCOMPLETE: ReadonlySet<LapReason> = new Set(INCOMPLETE_REASONS)

/** Returns the lap counter at the middle of the segment. Near the line it can lead or lag by some rows. */
function lapNumber(
  { channel: { Lap: lap }, kind }: LapData,
  { rowStart, rowEnd }: Segment,
  index: number,
): number {
  if (lap === null) return index
  let row = (rowStart + rowEnd) >> 1
  while (row < rowEnd && kind[row] !== ROW.GOOD) row++
  return lap[row]!
}
