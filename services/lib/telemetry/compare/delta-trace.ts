import type { LapTrack } from './lap-track.ts'

/** How much later than the reference a lap comes by each place. */
export interface DeltaTrace {
  /** The lap's own steps. */
  readonly pct: Float64Array<ArrayBuffer>
  /** Seconds; positive where the lap is slower up to here. Begins at 0, ends at the gap of both interpolated times. */
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

/** A series of even steps between its points; ends are held. */
export function valueAt(series: Float64Array | Float32Array, pct: number): number {
  const last = series.length - 1
  const at = Math.min(last, Math.max(0, pct * last))
  const i = Math.min(last - 1, Math.floor(at))
  const share = at - i
  if (share === 1) return series[i + 1]!
  return series[i]! + (series[i + 1]! - series[i]!) * share
}

/**
 * Milliseconds by which the trace ends off the gap of the scored times: what the two interpolated
 * times differ from the official ones by. The trace is not bent to hide it.
 */
export function closingResidualMs(
  { delta }: Pick<DeltaTrace, 'delta'>,
  lap: Pick<LapTrack, 'timeMs'>,
  reference: Pick<LapTrack, 'timeMs'>,
): number {
  return delta[delta.length - 1]! * 1000 - (lap.timeMs - reference.timeMs)
}
