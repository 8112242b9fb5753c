import type { LapDelta } from '#shared/laps/lap-delta.ts'

/** What happens to the gap on a part of the lap. */
export type GainState = 'gain' | 'loss' | 'level'

/** Rows of the lap from `start` to `end`, both included, of one state. */
export interface GainSegment {
  readonly state: GainState
  readonly start: number
  readonly end: number
}

/** Share of the lap over which the change of the gap is measured: 15 m of 3 km before and after. */
const REACH = 0.005
/** Share of the lap's time that changes over the same share of distance. Less is as good as level. */
const LEAST = 0.004

/**
 * Splits a lap into parts on which the driver gained or lost time, or neither. `shares` has the share of the lap for
 * each row from `rowStart` on; NaN and steps back belong to the part before.
 */
export function gainSegments(
  shares: ArrayLike<number>,
  rowStart: number,
  { seconds }: LapDelta,
  lapS: number,
): readonly GainSegment[] {
  const last = seconds.length - 1
  const reach = Math.max(1, Math.round(REACH * last))
  const least = ((2 * reach) / last) * lapS * LEAST
  const stateAt = (share: number): GainState => {
    const at = Math.round(Math.min(1, Math.max(0, share)) * last)
    const from = Math.max(0, at - reach)
    const to = Math.min(last, at + reach)
    const change = (seconds[to]! - seconds[from]!) * ((2 * reach) / (to - from))
    if (change > least) return 'loss'
    return change < -least ? 'gain' : 'level'
  }
  const segments: GainSegment[] = []
  let start = 0
  let state: GainState = 'level'
  for (let i = 0; i < shares.length; i++) {
    const next: GainState = Number.isFinite(shares[i]!) ? stateAt(shares[i]!) : state
    if (next === state) continue
    if (i > start) segments.push({ state, start: rowStart + start, end: rowStart + i - 1 })
    start = i
    state = next
  }
  if (shares.length > start) {
    segments.push({ state, start: rowStart + start, end: rowStart + shares.length - 1 })
  }
  return segments
}
