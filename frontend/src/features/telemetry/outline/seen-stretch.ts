import type { OutlineGeometry, OutlineTransform } from './outline-geometry.ts'

/**
 * Returns the part of a lap that a canvas shows, in metres from the line: the stretch without a break or a turn out of
 * sight around index `middle`. Null if that point is not in sight.
 */
export function seenStretch(
  { x, y, breaks }: OutlineGeometry,
  metres: Float64Array,
  middle: number,
  { scale, middleX, middleY }: OutlineTransform,
  width: number,
  height: number,
): { readonly minM: number; readonly maxM: number } | null {
  const isOutside = (i: number) => {
    const px = middleX + x[i]! * scale
    const py = middleY + y[i]! * scale
    // Not outside if it has no position.
    return px < 0 || px > width || py < 0 || py > height
  }
  if (!(middle >= 0) || isOutside(middle)) return null
  let from = middle
  let to = middle
  while (from > 0 && !breaks[from] && !isOutside(from - 1)) from--
  while (to < x.length - 1 && !breaks[to + 1] && !isOutside(to + 1)) to++
  let minM = Number.POSITIVE_INFINITY
  let maxM = Number.NEGATIVE_INFINITY
  for (let i = from; i <= to; i++) {
    if (metres[i]! < minM) minM = metres[i]!
    if (metres[i]! > maxM) maxM = metres[i]!
  }
  return minM < maxM ? { minM, maxM } : null
}
