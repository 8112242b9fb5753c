/**
 * Returns the double with the fewest decimals that rounds to this float32: 0.1 instead of
 * 0.10000000149011612. Nine digits identify every float32; six or seven are usually enough. Returns
 * non-finite values as they are.
 */
export function shortestFloat32(value: number): number {
  const size = value < 0 ? -value : value
  if (!(size >= 1e-5 && size < 1e9)) return value
  let decade = 0
  while (size >= DECADES[decade]!) decade++
  // `decade` 0 holds numbers under 0.0001, whose first digit is the fifth decimal.
  for (let digits = 6; digits < 9; digits++) {
    const places = digits + 4 - decade
    const shorter =
      places >= 0
        ? Math.round(value * POWERS[places]!) / POWERS[places]!
        : Math.round(value / POWERS[-places]!) * POWERS[-places]!
    if (Math.fround(shorter) === value) return shorter
  }
  return value
}

const DECADES = [1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, Number.POSITIVE_INFINITY]
const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i)
