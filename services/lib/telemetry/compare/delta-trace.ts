import type { LapTrack } from './lap-track.ts'

/** How much later than the reference a lap reaches each point. */
export interface DeltaTrace {
  /** The lap's own steps. */
  readonly pct: Float64Array<ArrayBuffer>
  /** Seconds; positive if the lap is slower up to here. Begins at 0, ends at the gap of the scored times. */
  readonly delta: Float64Array<ArrayBuffer>
  /**
   * Milliseconds by which the recordings alone would miss that gap: the interpolated times differ from the
   * scored ones. `delta` has it spread evenly over the lap.
   */
  readonly missedMs: number
}

export function deltaTrace(lap: LapTrack, reference: LapTrack): DeltaTrace {
  const { pct, time, timeMs } = lap
  const last = pct.length - 1
  const isSameSteps = reference.pct.length === pct.length
  const gapS = (timeMs - reference.timeMs) / 1000
  const missedS = time[last]! - reference.time[reference.time.length - 1]! - gapS
  const delta = new Float64Array(pct.length)
  for (let i = 0; i < last; i++) {
    const referenceS = isSameSteps ? reference.time[i]! : valueAt(reference.time, pct[i]!)
    delta[i] = time[i]! - referenceS - missedS * pct[i]!
  }
  delta[last] = gapS
  return { pct, delta, missedMs: 1000 * missedS }
}

/**
 * Returns the value of a series with even steps, interpolated between its points. Beyond an end, returns the
 * value at the end.
 */
export function valueAt(series: Float64Array | Float32Array, pct: number): number {
  const last = series.length - 1
  const at = Math.min(last, Math.max(0, pct * last))
  const i = Math.min(last - 1, Math.floor(at))
  const share = at - i
  if (share === 1) return series[i + 1]!
  return series[i]! + (series[i + 1]! - series[i]!) * share
}
