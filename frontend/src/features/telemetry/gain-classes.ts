import type { LapDelta } from '#shared/laps/lap-delta.ts'

/** What can happen to the gap on a part of the lap. */
export const GAIN_STATES = ['loss', 'gain', 'level'] as const

/** Share of the lap over which the change of the gap is measured: 15 m of 3 km before and after. */
const REACH = 0.005
/** Share of the lap's time that changes over the same share of distance. Less is as good as level. */
const LEAST = 0.004

/**
 * Tells for each row of a lap whether the driver gained or lost time there, or neither: its index in `GAIN_STATES`.
 * `shares` has the share of the lap for each row; NaN belongs to the row before.
 */
export function gainClasses(shares: ArrayLike<number>, { seconds }: LapDelta, lapS: number): Uint8Array {
  const last = seconds.length - 1
  const reach = Math.max(1, Math.round(REACH * last))
  const least = ((2 * reach) / last) * lapS * LEAST
  const classes = new Uint8Array(shares.length)
  for (let row = 0; row < shares.length; row++) {
    const share = shares[row]!
    if (!Number.isFinite(share)) {
      classes[row] = row === 0 ? LEVEL : classes[row - 1]!
      continue
    }
    const at = Math.round(Math.min(1, Math.max(0, share)) * last)
    const from = Math.max(0, at - reach)
    const to = Math.min(last, at + reach)
    const change = (seconds[to]! - seconds[from]!) * ((2 * reach) / (to - from))
    classes[row] = change > least ? LOSS : change < -least ? GAIN : LEVEL
  }
  return classes
}

const [LOSS, GAIN, LEVEL] = [0, 1, 2]
