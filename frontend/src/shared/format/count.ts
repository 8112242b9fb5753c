const counts = new Intl.NumberFormat('en')

/** Formats a whole number with separated thousands: `1,204`. */
export function formatCount(count: number): string {
  return counts.format(count)
}
