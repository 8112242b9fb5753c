/** A straight line through points, by least squares. */
export interface Line {
  readonly intercept: number
  readonly slope: number
  /** Share of the variation that the line explains, 0 to 1. */
  readonly r2: number
}

/** Returns null for fewer than two different `x`. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Line | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  let xx = 0
  let xy = 0
  let yy = 0
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
    yy += (y - meanY) ** 2
  }
  if (points.length < 2 || xx === 0) return null
  const slope = xy / xx
  return { slope, intercept: meanY - slope * meanX, r2: yy === 0 ? 1 : xy ** 2 / (xx * yy) }
}
