const counts = new Intl.NumberFormat('en')

/** A whole number with its thousands apart: `1,204`. */
export function formatCount(count: number): string {
  return counts.format(count)
}
