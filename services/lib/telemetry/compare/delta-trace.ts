import type { LapTrack } from './lap-track.ts'

/** How much later than the reference a lap reaches each point. */
export interface DeltaTrace {
  /** The lap's own steps. */
  readonly pct: Float64Array<ArrayBuffer>
  /**
   * Seconds; positive if the lap is slower up to here. Begins at 0, ends at the gap of both interpolated
   * times.
   */
  readonly delta: Float64Array<ArrayBuffer>
}

export function deltaTrace(lap: LapTrack, reference: LapTrack): DeltaTrace {
  const points = lap.pct.length
  const isSameSteps = reference.pct.length === points
  const delta = new Float64Array(points)
  for (let i = 0; i < points; i++) {
    delta[i] = lap.time[i]! - (isSameSteps ? reference.time[i]! : valueAt(reference.time, lap.pct[i]!))
  }
  return { pct: lap.pct, delta }
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

/**
 * Returns the milliseconds between the end of the trace and the gap of the scored times. The interpolated
 * times differ from the official ones by this much. The trace is not bent to hide it.
 */
export function closingResidualMs(
  { delta }: Pick<DeltaTrace, 'delta'>,
  lap: Pick<LapTrack, 'timeMs'>,
  reference: Pick<LapTrack, 'timeMs'>,
): number {
  return delta[delta.length - 1]! * 1000 - (lap.timeMs - reference.timeMs)
}
