/** Formats equally spaced distances: "400 m" for a short range, "1.2 km" for a long one. */
export function distanceLabels(metres: readonly number[]): string[] {
  const step = metres.length > 1 ? metres[1]! - metres[0]! : 0
  if (step < 100) return metres.map(metre => `${metre.toFixed(step % 1 === 0 ? 0 : 1)} m`)
  const digits = step % 1000 === 0 ? 0 : step % 100 === 0 ? 1 : 2
  return metres.map(metre => (metre === 0 ? '0 km' : `${(metre / 1000).toFixed(digits)} km`))
}
