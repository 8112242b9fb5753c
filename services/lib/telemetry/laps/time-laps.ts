import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'
import { endOfRun } from './runs.ts'

/** What is known of a segment's time. */
export interface Timing {
  /** Seconds between the two crossings; null without both, or where they do not lie in order. */
  readonly interpolatedS: number | null
  /** Seconds as the simulator scored them; null where it did not, or where the file ends first. */
  readonly officialS: number | null
  /** The simulator refused to score it, or could have scored it in the recording and did not. */
  readonly isUnscored: boolean
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
  const timings = segments.map((segment, index): Timing => {
    const spanS = segment.closeTimeS - segment.openTimeS
    const interpolatedS = spanS > 0 && spanS < Number.POSITIVE_INFINITY ? spanS : null
    const values = data.channel.LapLastLapTime
    if (segment.end !== 'line') return { interpolatedS, officialS: null, isUnscored: false }
    // A file without the channel never says that the simulator scored a lap.
    if (values === null) return { interpolatedS, officialS: null, isUnscored: interpolatedS !== null }

    // Where the lines are apart the answer may come before the second of them (D-29).
    while (next < changes.length && changes[next]! <= segment.rowFinish) next++
    const latestS = segment.closeTimeS + ANSWER_WITHIN_S
    const change = next < changes.length ? changes[next]! : -1
    if (change !== -1 && isAnswer(data, segment, change, latestS)) {
      // Consumed, so that a stub of a few rows after the line cannot take the same answer again.
      next++
      const officialS = answer(values[change]!)
      return {
        interpolatedS,
        officialS,
        // A part of a lap is scored -1 or not at all, and only the first says something of it.
        isUnscored: officialS === null && (interpolatedS !== null || values[change]! < 0),
      }
    }
    // No change: either the answer equals the one before it, or it was never recorded.
    const isWindowRecorded = sessionEnds[index]! >= latestS
    if (!isWindowRecorded || interpolatedS === null) {
      return { interpolatedS, officialS: null, isUnscored: false }
    }
    const unchanged = answer(values[segment.rowFinish]!)
    const agrees = unchanged !== null && Math.abs(unchanged - interpolatedS) <= MAX_TIME_DIFFERENCE_S
    return { interpolatedS, officialS: agrees ? unchanged : null, isUnscored: !agrees }
  })
  return withUnscoredSessions(segments, timings)
}

/**
 * In a session in which the simulator scored no lap, although it could have, it does not score: the last
 * lap is no better than the others only because the recording ends before its answer.
 */
function withUnscoredSessions(segments: readonly Segment[], timings: readonly Timing[]): Timing[] {
  const judged: Timing[] = []
  for (let first = 0; first < segments.length; first = judged.length) {
    let end = first + 1
    while (segments[end - 1]!.end !== 'file' && end < segments.length) end++
    const session = timings.slice(first, end)
    const isWhole = (timing: Timing): boolean => timing.interpolatedS !== null
    const isSilent =
      session.some(timing => isWhole(timing) && timing.isUnscored) &&
      session.every(({ officialS }) => officialS === null)
    for (const timing of session) {
      judged.push(isSilent && isWhole(timing) ? { ...timing, isUnscored: true } : timing)
    }
  }
  return judged
}

function isAnswer(data: LapData, { rowFinish }: Segment, row: number, latestS: number): boolean {
  const timeS = data.timeS[row]!
  return timeS <= latestS && timeS >= data.timeS[rowFinish]! && isSameSession(data, rowFinish, row)
}

/** Seconds, at the simulator's resolution of 0.1 ms, which a float only approximates; null if it is no time. */
function answer(value: number): number | null {
  const seconds = Math.round(value * 1e4) / 1e4
  return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : null
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
