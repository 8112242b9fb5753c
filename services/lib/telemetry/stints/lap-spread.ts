/** Fewer laps have no middle half. */
const FEWEST_LAPS = 4

/** Returns the value at a share of sorted values, interpolated between the two nearest. `sorted` has at least one. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
}

/** How even laps are. */
export interface LapSpread {
  /** Seconds of the fastest and of the median lap. */
  readonly bestS: number
  readonly medianS: number
  /** Seconds within which the middle half of the laps lies; null below four laps. */
  readonly spreadS: number | null
}

/** Returns how even laps are, by their seconds in any order; null without laps. */
export function lapSpread(times: readonly number[]): LapSpread | null {
  if (times.length === 0) return null
  const sorted = times.toSorted((a, b) => a - b)
  return {
    bestS: sorted[0]!,
    medianS: quantile(sorted, 0.5),
    spreadS: sorted.length < FEWEST_LAPS ? null : quantile(sorted, 0.75) - quantile(sorted, 0.25),
  }
}
