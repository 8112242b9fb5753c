import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'
import { endOfRun } from './runs.ts'

/** What is known of a segment's time. */
export interface Timing {
  /** Seconds between the two crossings; null without both, or where they do not lie in order. */
  readonly interpolatedS: number | null
  /** Seconds as the simulator scored them; null where it did not, or where the file ends first. */
  readonly officialS: number | null
  /** The simulator answered, and the answer was -1. */
  readonly isRefused: boolean
}

/** Largest difference in seconds at which official and interpolated time are of one lap. */
export const MAX_TIME_DIFFERENCE_S = 0.02

/**
 * LapLastLapTime arrives 5 to 120 rows after the line; read at the line it is the lap before's.
 * 120 rows are 2 s, and the crossing lies up to a row earlier still.
 */
const ANSWER_WITHIN_S = 2.05

/** Times every segment; the answer has one entry a segment. */
export function timeLaps(data: LapData, segments: readonly Segment[]): Timing[] {
  const changes = lastLapTimeChanges(data)
  const sessionEnds = sessionEndTimes(data, segments)
  let next = 0
  return segments.map((segment, index) => {
    const spanS = segment.closeTimeS - segment.openTimeS
    const interpolatedS = spanS > 0 && spanS < Number.POSITIVE_INFINITY ? spanS : null
    const values = data.channel.LapLastLapTime
    if (values === null || segment.end !== 'line') return { interpolatedS, officialS: null, isRefused: false }

    while (next < changes.length && changes[next]! <= segment.rowEnd) next++
    const latestS = segment.closeTimeS + ANSWER_WITHIN_S
    const change = next < changes.length ? changes[next]! : -1
    if (change !== -1 && isAnswer(data, segment, change, latestS)) {
      // Consumed, so that a stub of a few rows after the line cannot take the same answer again.
      next++
      return { interpolatedS, ...answer(values[change]!) }
    }
    // No change: either the answer equals the one before it, or it was never recorded.
    const isWindowRecorded = sessionEnds[index]! >= latestS
    if (!isWindowRecorded || interpolatedS === null) {
      return { interpolatedS, officialS: null, isRefused: false }
    }
    const unchanged = answer(values[segment.rowEnd]!)
    const agrees =
      unchanged.officialS !== null && Math.abs(unchanged.officialS - interpolatedS) <= MAX_TIME_DIFFERENCE_S
    return { interpolatedS, officialS: agrees ? unchanged.officialS : null, isRefused: unchanged.isRefused }
  })
}

function isAnswer(data: LapData, { rowEnd }: Segment, row: number, latestS: number): boolean {
  const timeS = data.timeS[row]!
  return timeS <= latestS && timeS >= data.timeS[rowEnd]! && isSameSession(data, rowEnd, row)
}

/** Positive: a time, kept at the simulator's resolution of 0.1 ms, which a float only approximates. -1: refused. */
function answer(value: number): { officialS: number | null; isRefused: boolean } {
  const seconds = Math.round(value * 1e4) / 1e4
  if (seconds > 0 && seconds < Number.POSITIVE_INFINITY) return { officialS: seconds, isRefused: false }
  return { officialS: null, isRefused: value < 0 }
}

/** Good rows whose LapLastLapTime differs from the good row's before, in one session. */
function lastLapTimeChanges(data: LapData): number[] {
  const values = data.channel.LapLastLapTime
  const changes: number[] = []
  if (values === null) return changes
  let last = -1
  for (let row = 0; row < data.rows; ) {
    const next = endOfRun(values, row, data.rows)
    while (row < next && data.kind[row] !== ROW.GOOD) row++
    // Not-a-number is no answer and is passed over, or it would count as a change twice.
    if (row < next && !Number.isNaN(values[row]!)) {
      if (last !== -1 && values[row] !== values[last] && isSameSession(data, last, row)) changes.push(row)
      last = row
    }
    row = next
  }
  return changes
}

function isSameSession({ channel: { SessionNum: sessionNum } }: LapData, a: number, b: number): boolean {
  return sessionNum === null || sessionNum[a] === sessionNum[b]
}

/** SessionTime of the last row of the session each segment lies in. */
function sessionEndTimes(data: LapData, segments: readonly Segment[]): Float64Array {
  const ends = new Float64Array(segments.length)
  let endS = Number.NaN
  for (let index = segments.length - 1; index >= 0; index--) {
    const segment = segments[index]!
    if (segment.end === 'file') endS = data.timeS[segment.rowEnd]!
    ends[index] = endS
  }
  return ends
}
