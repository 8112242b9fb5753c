/** A place in a chart, in values of its axes, and how many pixels a unit of each axis has. */
interface PlaceInChart {
  readonly x: number
  readonly y: number
  readonly pixelsPerX: number
  readonly pixelsPerY: number
}

/** Returns the index of the selected point nearest to a place, at most `reach` pixels away; null without one. */
export function nearestPoint(
  xs: Float64Array,
  ys: Float64Array,
  isMeant: (index: number) => boolean,
  { x, y, pixelsPerX, pixelsPerY }: PlaceInChart,
  reach: number,
): number | null {
  let best: number | null = null
  let bestGap = reach ** 2
  for (let i = 0; i < xs.length; i++) {
    const gap = ((xs[i]! - x) * pixelsPerX) ** 2 + ((ys[i]! - y) * pixelsPerY) ** 2
    if (gap <= bestGap && isMeant(i)) {
      best = i
      bestGap = gap
    }
  }
  return best
}
