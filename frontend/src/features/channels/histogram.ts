/** How much of a lap a channel spent in each of some even steps. */
export interface Histogram {
  /** The lower edge of the first bin. */
  readonly from: number
  /** Width of a bin. */
  readonly step: number
  /** Per cent of the rows, one value a bin. */
  readonly shares: Float64Array
}

const MOST_BINS = 40
/** Values with steps have a bin each, up to this many. */
const MOST_STEPS = 64

/**
 * Counts the values of the rows that `isMeant` selects. Whole numbers of a channel with steps have a bin each. Returns null
 * without a value. `within` gives the extent, so that two laps have the same bins.
 */
export function histogram(
  values: Float64Array,
  isMeant: (index: number) => boolean,
  { isStepped, within }: { readonly isStepped: boolean; readonly within: readonly [number, number] },
): Histogram | null {
  const [low, high] = within
  if (!(low <= high)) return null
  const isWhole = isStepped && high - low < MOST_STEPS
  // A channel that never changes has one bin around its value.
  const step = isWhole ? 1 : (high - low) / MOST_BINS || 1
  const from = isWhole ? low - 0.5 : high === low ? low - step / 2 : low
  const counts = new Float64Array(isWhole ? high - low + 1 : high === low ? 1 : MOST_BINS)
  let total = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (!(value >= low && value <= high) || !isMeant(i)) continue
    counts[Math.min(counts.length - 1, Math.floor((value - from) / step))]!++
    total++
  }
  if (total === 0) return null
  return { from, step, shares: counts.map(count => (100 * count) / total) }
}

/** Returns the lowest and the highest value of all selected rows; the first is above the second without one. */
export function extentOf(
  lines: readonly { readonly values: Float64Array; readonly isMeant: (index: number) => boolean }[],
): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const { values, isMeant } of lines) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (!Number.isFinite(value) || !isMeant(i)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  return [low, high]
}

/** Returns bounds with some room around an extent, also around a single value; 0 to 1 without an extent. */
export function padded([low, high]: readonly [number, number]): [number, number] {
  if (!(low <= high)) return [0, 1]
  const room = low === high ? Math.max(0.5, Math.abs(low) * 0.05) : (high - low) * 0.08
  return [low - room, high + room]
}
