export type PedalState = 'throttle' | 'brake' | 'coast'

/** Consecutive samples of one pedal state; both ends inclusive. */
export interface PedalSegment {
  readonly state: PedalState
  readonly start: number
  readonly end: number
}

/** A pedal counts as pressed above this share of its travel (spec 001, 9). */
export const PEDAL_THRESHOLD = 0.02

/**
 * Splits rows `from..to` (inclusive) wherever the pedal state changes. A single row between two
 * others of another state makes no line, so segments of fewer than two rows are left out.
 */
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

/** Braking wins over the throttle, as drivers overlap the two. */
export function pedalState(throttle: number | undefined, brake: number | undefined): PedalState {
  if (pedalShare(brake) > PEDAL_THRESHOLD) return 'brake'
  if (pedalShare(throttle) > PEDAL_THRESHOLD) return 'throttle'
  return 'coast'
}

/** A pedal's travel clamped to 0..1; what is not a finite number counts as 0. */
export function pedalShare(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value)) return 0
  return Math.min(1, Math.max(0, value))
}
