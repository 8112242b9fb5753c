import type { CornerPosition } from '../lap-comparison.ts'
import { nearestAtDistance } from '../lap-distance.ts'
import { boxOf, type OutlineBox } from './outline-box.ts'
import type { OutlineGeometry } from './outline-geometry.ts'

/** Returns the extent of a lap between two distances; null if it has no position there. */
export function stretchBox(
  { x, y }: OutlineGeometry,
  metres: Float64Array,
  { minM, maxM }: { readonly minM: number; readonly maxM: number },
): OutlineBox | null {
  const isBetween = (i: number) => metres[i]! >= minM && metres[i]! <= maxM
  const box = boxOf(x, y, isBetween)
  return box.minX <= box.maxX ? box : null
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
  const hasPosition = (i: number) => !Number.isNaN(geometry.x[i]!)
  const at = (metre: number) => nearestAtDistance(metres, metre, hasPosition)
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
