export type PedalState = 'throttle' | 'brake' | 'coast'

/** Consecutive samples of one state, such as that of the pedals; both ends inclusive. */
export interface Run<State> {
  readonly state: State
  readonly start: number
  readonly end: number
}

export type PedalSegment = Run<PedalState>

/** Share of its travel above which a pedal counts as pressed (spec 001, 9). */
export const PEDAL_THRESHOLD = 0.02

/** Splits rows `from..to` (inclusive) at each change of the pedal state. Leaves out segments of one row. */
export function pedalSegments(
  throttle: ArrayLike<number>,
  brake: ArrayLike<number>,
  from: number,
  to: number,
): PedalSegment[] {
  return runsOf(row => pedalState(throttle[row], brake[row]), from, to)
}

/** Splits rows `from..to` (inclusive) at each change of a state. Leaves out runs of one row. */
export function runsOf<State>(stateOf: (row: number) => State, from: number, to: number): Run<State>[] {
  const runs: Run<State>[] = []
  let start = from
  let state = stateOf(from)
  for (let row = from; row <= to; row++) {
    const next = row < to ? stateOf(row + 1) : null
    if (row < to && next === state) continue
    if (row > start) runs.push({ state, start, end: row })
    start = row + 1
    if (row < to) state = next as State
  }
  return runs
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
