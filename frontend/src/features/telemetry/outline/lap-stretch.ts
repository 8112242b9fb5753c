import type { CornerPosition } from '../lap-comparison.ts'
import type { OutlineGeometry } from './outline-geometry.ts'
import type { OutlineBox } from './outline-view.ts'

/** Returns the extent of a lap between two distances; null if it has no position there. */
export function stretchBox(
  { x, y }: OutlineGeometry,
  metres: Float64Array,
  { minM, maxM }: { readonly minM: number; readonly maxM: number },
): OutlineBox | null {
  let minX = Number.POSITIVE_INFINITY
  let maxX = Number.NEGATIVE_INFINITY
  let minY = Number.POSITIVE_INFINITY
  let maxY = Number.NEGATIVE_INFINITY
  for (let i = 0; i < x.length; i++) {
    if (!(metres[i]! >= minM && metres[i]! <= maxM) || Number.isNaN(x[i]!)) continue
    if (x[i]! < minX) minX = x[i]!
    if (x[i]! > maxX) maxX = x[i]!
    if (y[i]! < minY) minY = y[i]!
    if (y[i]! > maxY) maxY = y[i]!
  }
  return minX <= maxX ? { minX, maxX, minY, maxY } : null
}

/** A corner's number: beside the road at the apex, on the side that the corner turns away from. */
export interface CornerMark {
  readonly label: string
  /** Metres, as in the geometry. */
  readonly x: number
  readonly y: number
  /** A vector of length 1, away from the road. */
  readonly awayX: number
  readonly awayY: number
}

/** Returns the marks of the corners at which the lap has positions. */
export function cornerMarks(
  geometry: OutlineGeometry,
  metres: Float64Array,
  corners: readonly CornerPosition[],
): CornerMark[] {
  const at = (metre: number) => nearestKnown(geometry, metres, metre)
  return corners.flatMap(({ label, startM, apexM, endM }) => {
    const [start, apex, end] = [at(startM), at(apexM), at(endM)]
    if (start < 0 || apex < 0 || end < 0) return []
    const x = geometry.x[apex]!
    const y = geometry.y[apex]!
    const towardsX = x - (geometry.x[start]! + geometry.x[end]!) / 2
    const towardsY = y - (geometry.y[start]! + geometry.y[end]!) / 2
    const length = Math.hypot(towardsX, towardsY)
    if (length === 0) return []
    return [{ label, x, y, awayX: towardsX / length, awayY: towardsY / length }]
  })
}

function nearestKnown({ x }: OutlineGeometry, metres: Float64Array, metre: number): number {
  let best = -1
  let bestGap = Number.POSITIVE_INFINITY
  for (let i = 0; i < x.length; i++) {
    const gap = Math.abs(metres[i]! - metre)
    if (gap < bestGap && !Number.isNaN(x[i]!)) {
      best = i
      bestGap = gap
    }
  }
  return best
}
