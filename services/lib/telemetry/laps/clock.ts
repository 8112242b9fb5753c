import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'

/**
 * Returns true if SessionTime cannot be the simulator's clock in this lap.
 * A row is one tick: a sixtieth of a second, or less in a file of more rows a second (`LapData.tickS`). If
 * rows are missing, a step is two or three whole ticks, never a part of one. Recorded laps match this to the
 * eleventh decimal. So a scaled clock shows in every step, and a clock edited in part has rows without time
 * between them. The simulator counts LapCurrentLapTime separately. It agrees with SessionTime in all recorded
 * laps.
 */
export function hasEditedClock(data: LapData, segment: Segment): boolean {
  return hasImpossibleSteps(data, segment) || disagreesWithLapClock(data, segment)
}

/**
 * Seconds that all rows together may be short of a tick each; as much as the two times of a lap may differ.
 */
const MAX_SHORT_S = 0.02

/** Part of a tick by which a step may differ from a whole number of ticks. */
const OFF_TICKS = 0.0005
/** If laps were joined from several recordings, one or two steps are no whole ticks. */
const MAX_OFF_SHARE = 0.1

function hasImpossibleSteps({ kind, timeS, pct, channel, tickS, rowS }: LapData, segment: Segment): boolean {
  const { SessionTick: ticks } = channel
  // The simulator counts its ticks; a file of fewer rows a second can leave some out.
  const countedS = Math.min(tickS, rowS)
  const maxCounted = MAX_COUNTED_S / countedS
  let shortS = 0
  let steps = 0
  let off = 0
  let before = segment.rowBefore
  for (let row = segment.rowStart; row <= segment.rowAfter; row++) {
    if (kind[row] !== ROW.GOOD) continue
    const stepS = timeS[row]! - timeS[before]!
    // A row that is in the file twice adds no time to the lap.
    if (stepS !== 0 || pct[row] !== pct[before]) {
      const counted = ticks === null ? 0 : ticks[row]! - ticks[before]!
      const minStepS = counted <= maxCounted ? Math.max(rowS, counted * countedS) : rowS
      shortS += Math.max(0, minStepS - stepS)
      const inTicks = stepS / tickS
      if (Math.abs(inTicks - Math.round(inTicks)) > OFF_TICKS) off++
      steps++
    }
    before = row
  }
  return shortS > MAX_SHORT_S || off > MAX_OFF_SHARE * steps
}

/** Longest step in seconds that is no gap. If SessionTick counts up by more, it was reset. */
const MAX_COUNTED_S = 0.1 + 1e-6

/** Returns true if two clocks of the lap measure different times between the same two rows. */
function disagreesWithLapClock({ kind, timeS, channel }: LapData, segment: Segment): boolean {
  const { LapCurrentLapTime: lapClock } = channel
  if (lapClock === null) return false
  let first = segment.rowStart
  while (first < segment.rowFinish && !(timeS[first]! >= segment.openTimeS + LATE_S)) first++
  while (first < segment.rowFinish && kind[first] !== ROW.GOOD) first++
  const from = lapClock[first]!
  const to = lapClock[segment.rowFinish]!
  // Before the first line of a session the lap clock does not run and shows 0 or -1.
  if (!(from > 0 && to > from)) return false
  return Math.abs(to - from - (timeS[segment.rowFinish]! - timeS[first]!)) > MAX_CLOCK_DIFFERENCE_S
}

/** The restart of the lap clock may come late, like the score of a lap. */
const LATE_S = 2.05
const MAX_CLOCK_DIFFERENCE_S = 0.02
