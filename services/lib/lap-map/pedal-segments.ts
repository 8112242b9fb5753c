export type PedalState = 'throttle' | 'brake' | 'coast'

/** Consecutive samples of one pedal state; both ends inclusive. */
export interface PedalSegment {
  readonly state: PedalState
  readonly start: number
  readonly end: number
}

/** Share of its travel above which a pedal counts as pressed (spec 001, 9). */
export const PEDAL_THRESHOLD = 0.02

/** Splits rows `from..to` (inclusive) at each change of the pedal state. Leaves out segments of one row. */
export function pedalSegments(
  throttle: ArrayLike<number>,
  brake: ArrayLike<number>,
  from: number,
  to: number,
): PedalSegment[] {
  const segments: PedalSegment[] = []
  let start = from
  for (let row = from; row <= to; row++) {
    const state = pedalState(throttle[row], brake[row])
    if (row < to && pedalState(throttle[row + 1], brake[row + 1]) === state) continue
    if (row > start) segments.push({ state, start, end: row })
    start = row + 1
  }
  return segments
}

/** Returns the pedal state. The brake wins over the throttle, because drivers press both at the same time. */
export function pedalState(throttle: number | undefined, brake: number | undefined): PedalState {
  if (pedalShare(brake) > PEDAL_THRESHOLD) return 'brake'
  if (pedalShare(throttle) > PEDAL_THRESHOLD) return 'throttle'
  return 'coast'
}

/** Limits a pedal's travel to 0..1; a value that is not finite counts as 0. */
export function pedalShare(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value)) return 0
  return Math.min(1, Math.max(0, value))
}
