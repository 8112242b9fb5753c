import { type Drive, TICK_S } from './drive-stint.ts'
import { randomFrom } from './random.ts'

/** What the simulator's lap timing shows, tick by tick. */
export interface TimeLine {
  readonly lap: Int32Array
  readonly lastLapTime: Float64Array
  readonly bestLapTime: Float64Array
  readonly bestLap: Int32Array
  readonly currentLapTime: Float64Array
}

/**
 * Times the laps of a drive as the simulator does. The official time appears some 40 ticks after the line,
 * and the lap out of the pits is scored -1.
 */
export function timeLine({ ticks, at }: Drive, start: number, perLap: number): TimeLine {
  const random = randomFrom(97)
  const line = {
    lap: new Int32Array(ticks),
    lastLapTime: new Float64Array(ticks),
    bestLapTime: new Float64Array(ticks),
    bestLap: new Int32Array(ticks),
    currentLapTime: new Float64Array(ticks),
  }
  let lap = 0
  let openedAt = 0
  let shown = { last: 0, best: 0, bestLap: 0 }
  let pending = shown
  let showAt = Number.POSITIVE_INFINITY
  for (let t = 0; t < ticks; t++) {
    const index = start + at[t]!
    if (index >= (lap + 1) * perLap) {
      const before = start + at[t - 1]!
      const crossedAt = t - 1 + ((lap + 1) * perLap - before) / (index - before)
      // Scored to a tenth of a millisecond; the samples around the line agree to within a millisecond.
      const seconds = Math.round(((crossedAt - openedAt) * TICK_S + 0.0012 * (random() - 0.5)) * 1e4) / 1e4
      const isScored = lap > 0
      const isBest = isScored && (shown.best === 0 || seconds < shown.best)
      pending = {
        last: isScored ? seconds : -1,
        best: isBest ? seconds : shown.best,
        bestLap: isBest ? lap : shown.bestLap,
      }
      showAt = t + 38 + Math.floor(8 * random())
      openedAt = crossedAt
      lap++
    }
    if (t >= showAt) {
      shown = pending
      showAt = Number.POSITIVE_INFINITY
    }
    line.lap[t] = lap
    line.lastLapTime[t] = shown.last
    line.bestLapTime[t] = shown.best
    line.bestLap[t] = shown.bestLap
    line.currentLapTime[t] = (t - openedAt) * TICK_S
  }
  return line
}
