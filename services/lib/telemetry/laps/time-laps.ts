import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'
import { endOfRun } from './runs.ts'

/** The times of one segment. */
export interface Timing {
  /** Seconds between the two crossings; null without both, or if they are not in order. */
  readonly interpolatedS: number | null
  /** Seconds as the simulator scored them; null if it did not, or if the file ends first. */
  readonly officialS: number | null
  /** True if the simulator refused to score the lap, or had time to score it in the recording and did not. */
  readonly isUnscored: boolean
  /** The finish line lies after the start line: the scored time is longer by the way between them (D-29). */
  readonly isFinishLate?: true
}

/** Largest difference in seconds at which the official and the interpolated time belong to one lap. */
export const MAX_TIME_DIFFERENCE_S = 0.02

/**
 * The score, LapLastLapTime, arrives 5 to 120 rows after the line. At the line it still is that of the lap
 * before. 120 rows are 2 s, and the crossing lies up to one row earlier.
 */
const SCORE_WITHIN_S = 2.05

/** Times every segment; returns one entry a segment. */
export function timeLaps(data: LapData, segments: readonly Segment[]): Timing[] {
  const changes = lastLapTimeChanges(data)
  const sessionEnds = sessionEndTimes(data, segments)
  let next = 0
  const timings = segments.map((segment, index): Timing => {
    const spanS = segment.closeTimeS - segment.openTimeS
    const interpolatedS = spanS > 0 && spanS < Number.POSITIVE_INFINITY ? spanS : null
    const values = data.channel.LapLastLapTime
    if (segment.end !== 'line') return { interpolatedS, officialS: null, isUnscored: false }
    // Without the channel, the file never shows that the simulator scored a lap.
    if (values === null) return { interpolatedS, officialS: null, isUnscored: interpolatedS !== null }

    // If the lines are apart, the score may come before the second of them (D-29).
    while (next < changes.length && changes[next]! <= segment.rowFinish) next++
    const latestS = segment.closeTimeS + SCORE_WITHIN_S
    const change = next < changes.length ? changes[next]! : -1
    if (
      change !== -1 &&
      isScoreOf(data, segment, change, Math.max(latestS, latestAfterStart(segment, values[change]!)))
    ) {
      // Consumed, so that a segment of a few rows after the line does not use the same score again.
      next++
      const officialS = toSeconds(values[change]!)
      return {
        interpolatedS,
        officialS,
        // A part of a lap is scored -1 or not at all; only a -1 shows that the simulator refused it.
        isUnscored: officialS === null && (interpolatedS !== null || values[change]! < 0),
      }
    }
    // No change: either the score equals the one before it, or it was never recorded.
    const isWindowRecorded = sessionEnds[index]! >= latestS
    if (!isWindowRecorded || interpolatedS === null) {
      return { interpolatedS, officialS: null, isUnscored: false }
    }
    const unchanged = toSeconds(values[segment.rowFinish]!)
    const agrees = unchanged !== null && Math.abs(unchanged - interpolatedS) <= MAX_TIME_DIFFERENCE_S
    return { interpolatedS, officialS: agrees ? unchanged : null, isUnscored: !agrees }
  })
  return withLateFinish(data, segments, withUnscoredSessions(segments, timings))
}

/** Longest way from the start line to a finish line after it, as a share of the lap. */
const MAX_LATE_FINISH = 0.05

/** Returns the latest time at which a score can arrive if its finish line lies after the start line. */
function latestAfterStart({ openTimeS, closeTimeS }: Segment, scoredS: number): number {
  const lateS = openTimeS + scoredS - closeTimeS
  const isLate = lateS > MAX_TIME_DIFFERENCE_S && lateS <= MAX_LATE_FINISH * (closeTimeS - openTimeS)
  return isLate ? closeTimeS + lateS + SCORE_WITHIN_S : Number.NEGATIVE_INFINITY
}

/**
 * Marks the laps of sessions in which the simulator scores at a line after the start line. At least two laps
 * must show this, all at the same point: a single lap may have the score of another lap.
 */
function withLateFinish(data: LapData, segments: readonly Segment[], timings: readonly Timing[]): Timing[] {
  return sessionsOf(segments).flatMap(({ first, end }) => {
    const session = timings.slice(first, end)
    const finishes = session.flatMap((timing, i) => {
      const [segment, next] = [segments[first + i]!, segments[first + i + 1]]
      return lateFinishPct(data, { segment, next }, timing) ?? []
    })
    const nearest = finishes.reduce((least, finish) => Math.min(least, finish), Number.POSITIVE_INFINITY)
    const isOneLine =
      finishes.length > 1 &&
      nearest > 0 &&
      finishes.every(finish => finish - nearest <= MAX_FINISH_SPREAD_PCT)
    return isOneLine ? session.map(timing => ({ ...timing, isFinishLate: true as const })) : session
  })
}

/** Largest distance between the finish lines that the laps of one session show, as a share of the lap. */
const MAX_FINISH_SPREAD_PCT = 0.001

/**
 * Returns where on the next lap the scored time of a lap was over, as a share of the lap. 0 is the start line
 * itself, NaN a point at which no finish line can be. Null if the lap was not scored.
 */
function lateFinishPct(
  { kind, timeS, pct }: LapData,
  { segment, next }: { readonly segment: Segment; readonly next: Segment | undefined },
  timing: Timing,
): number | null {
  const { officialS, interpolatedS } = timing
  if (officialS === null || interpolatedS === null) return null
  const lateS = officialS - interpolatedS
  if (Math.abs(lateS) <= MAX_TIME_DIFFERENCE_S) return 0
  if (lateS < 0 || lateS > MAX_LATE_FINISH * interpolatedS) return Number.NaN
  const finishS = segment.openTimeS + officialS
  const end = next === undefined ? segment.rowAfter : next.rowEnd + 1
  let row = segment.rowAfter
  while (row < end && !(kind[row] === ROW.GOOD && timeS[row]! >= finishS)) row++
  if (row <= segment.rowAfter || row >= end) return Number.NaN
  const pace = (pct[row]! - pct[row - 1]!) / (timeS[row]! - timeS[row - 1]!)
  return pct[row]! - pace * (timeS[row]! - finishS)
}

/** Returns the segments of each session: the index of its first and the index after its last. */
function sessionsOf(segments: readonly Segment[]): { readonly first: number; readonly end: number }[] {
  const sessions = []
  for (let first = 0, i = 0; i < segments.length; i++) {
    if (segments[i]!.end !== 'file' && i + 1 < segments.length) continue
    sessions.push({ first, end: i + 1 })
    first = i + 1
  }
  return sessions
}

/**
 * Marks the laps of sessions in which the simulator scored no lap, although it had time to. The last lap of
 * such a session is unscored, too, although the recording ends before its score could come.
 */
function withUnscoredSessions(segments: readonly Segment[], timings: readonly Timing[]): Timing[] {
  const isWhole = (timing: Timing): boolean => timing.interpolatedS !== null
  return sessionsOf(segments).flatMap(({ first, end }) => {
    const session = timings.slice(first, end)
    const isSilent =
      session.some(timing => isWhole(timing) && timing.isUnscored) &&
      session.every(({ officialS }) => officialS === null)
    return session.map(timing => (isSilent && isWhole(timing) ? { ...timing, isUnscored: true } : timing))
  })
}

function isScoreOf(data: LapData, { rowFinish }: Segment, row: number, latestS: number): boolean {
  const timeS = data.timeS[row]!
  return timeS <= latestS && timeS >= data.timeS[rowFinish]! && isSameSession(data, rowFinish, row)
}

/**
 * Returns seconds at the simulator's resolution of 0.1 ms, which a float only approximates; null if it is no
 * time.
 */
function toSeconds(value: number): number | null {
  const seconds = Math.round(value * 1e4) / 1e4
  return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : null
}

/** Returns the good rows whose LapLastLapTime differs from the good row before, in one session. */
function lastLapTimeChanges(data: LapData): number[] {
  const values = data.channel.LapLastLapTime
  const changes: number[] = []
  if (values === null) return changes
  let last = -1
  for (let row = 0; row < data.rows; ) {
    const next = endOfRun(values, row, data.rows)
    while (row < next && data.kind[row] !== ROW.GOOD) row++
    // NaN is no score and is skipped; otherwise it would count as a change twice.
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

/** Returns the SessionTime of the last row of each segment's session. */
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
