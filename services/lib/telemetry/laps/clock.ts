import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'

/**
 * True where SessionTime cannot be what the simulator's clock said of this lap. A row is a tick. A tick
 * is a sixtieth of a second, or less in a file of more rows a second (`LapData.tickS`). Where rows are
 * missing a step is two ticks or three, but never less than one, and never a part of one. Recorded laps
 * keep to this to the eleventh decimal. So a clock that was scaled gives itself away in every step, and
 * one that was edited in part has rows for which there was no time. LapCurrentLapTime, which the
 * simulator counts apart, says the same as SessionTime in all recorded laps.
 */
export function hasEditedClock(data: LapData, segment: Segment): boolean {
  return hasImpossibleSteps(data, segment) || disagreesWithLapClock(data, segment)
}

/** Seconds that rows may be short of a tick each, all together; as much as two times of a lap may differ. */
const MAX_SHORT_S = 0.02

/** Part of a tick by which a step is off a whole number of them. */
const OFF_TICKS = 0.0005
/** Where laps were joined from several recordings, a step or two are no whole ticks. */
const MAX_OFF_SHARE = 0.1

function hasImpossibleSteps({ kind, timeS, pct, channel, tickS, rowS }: LapData, segment: Segment): boolean {
  const { SessionTick: ticks } = channel
  // The simulator counts its ticks, and a file of fewer rows a second can leave some out.
  const countedS = Math.min(tickS, rowS)
  const mostCounted = MAX_COUNTED_S / countedS
  let shortS = 0
  let steps = 0
  let off = 0
  let before = segment.rowBefore
  for (let row = segment.rowStart; row <= segment.rowAfter; row++) {
    if (kind[row] !== ROW.GOOD) continue
    const stepS = timeS[row]! - timeS[before]!
    // A row that stands in the file twice takes no time, and none from the lap.
    if (stepS !== 0 || pct[row] !== pct[before]) {
      const counted = ticks === null ? 0 : ticks[row]! - ticks[before]!
      const leastS = counted <= mostCounted ? Math.max(rowS, counted * countedS) : rowS
      shortS += Math.max(0, leastS - stepS)
      const inTicks = stepS / tickS
      if (Math.abs(inTicks - Math.round(inTicks)) > OFF_TICKS) off++
      steps++
    }
    before = row
  }
  return shortS > MAX_SHORT_S || off > MAX_OFF_SHARE * steps
}

/** Seconds of a step that is no gap; where SessionTick counts up by more it was reset. */
const MAX_COUNTED_S = 0.1 + 1e-6

/** Two of the lap's clocks tell another time between the same two rows. */
function disagreesWithLapClock({ kind, timeS, channel }: LapData, segment: Segment): boolean {
  const { LapCurrentLapTime: lapClock } = channel
  if (lapClock === null) return false
  let first = segment.rowStart
  while (first < segment.rowFinish && !(timeS[first]! >= segment.openTimeS + LATE_S)) first++
  while (first < segment.rowFinish && kind[first] !== ROW.GOOD) first++
  const from = lapClock[first]!
  const to = lapClock[segment.rowFinish]!
  // It stands still before the first line of a session, and says 0 or -1.
  if (!(from > 0 && to > from)) return false
  return Math.abs(to - from - (timeS[segment.rowFinish]! - timeS[first]!)) > MAX_CLOCK_DIFFERENCE_S
}

/** Like the answer to a lap, the restart of its clock may come late. */
const LATE_S = 2.05
const MAX_CLOCK_DIFFERENCE_S = 0.02
