import { formatDelta } from '#shared/format/delta.ts'
import type { CornerPosition, IncidentPosition } from '../lap-comparison.ts'
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
  /** Metres, as in the geometry. */
  readonly x: number
  readonly y: number
  /** A vector of length 1, away from the road. */
  readonly awayX: number
  readonly awayY: number
}

/** Returns the marks of the corners, in their order; null where the lap has no position. */
export function cornerMarks(
  geometry: OutlineGeometry,
  metres: Float64Array,
  corners: readonly CornerPosition[],
): (CornerMark | null)[] {
  const hasPosition = (i: number) => !Number.isNaN(geometry.x[i]!)
  const at = (metre: number) => nearestAtDistance(metres, metre, hasPosition)
  return corners.map(({ startM, apexM, endM }) => {
    const [start, apex, end] = [at(startM), at(apexM), at(endM)]
    if (start < 0 || apex < 0 || end < 0) return null
    const x = geometry.x[apex]!
    const y = geometry.y[apex]!
    const towardsX = x - (geometry.x[start]! + geometry.x[end]!) / 2
    const towardsY = y - (geometry.y[start]! + geometry.y[end]!) / 2
    const length = Math.hypot(towardsX, towardsY)
    return length === 0 ? null : { x, y, awayX: towardsX / length, awayY: towardsY / length }
  })
}

/** An incident: a part of the road, and words beside its middle, on the outer side of the lap. */
export interface IncidentMark {
  /** "Off +2.159". */
  readonly label: string
  readonly of: IncidentPosition['of']
  /** Indices of the geometry, inclusive. */
  readonly from: number
  readonly to: number
  readonly x: number
  readonly y: number
  /** A vector of length 1, away from the road. */
  readonly awayX: number
  readonly awayY: number
}

/** Metres of road that the mark of a contact covers at least. */
const CONTACT_M = 6

/** Returns the marks of the incidents at which the lap has positions. */
export function incidentMarks(
  geometry: OutlineGeometry,
  metres: Float64Array,
  incidents: readonly IncidentPosition[],
): IncidentMark[] {
  const hasPosition = (i: number) => !Number.isNaN(geometry.x[i]!)
  const at = (metre: number) => nearestAtDistance(metres, metre, hasPosition)
  return incidents.flatMap(({ label, of, startM, endM, lossS }) => {
    const middleM = (startM + endM) / 2
    const reachM = Math.max(CONTACT_M, endM - startM) / 2
    const [from, middle, to] = [at(middleM - reachM), at(middleM), at(middleM + reachM)]
    if (from < 0 || middle < 0 || to <= from) return []
    const x = geometry.x[middle]!
    const y = geometry.y[middle]!
    const alongX = geometry.x[to]! - geometry.x[from]!
    const alongY = geometry.y[to]! - geometry.y[from]!
    const length = Math.hypot(alongX, alongY)
    if (length === 0) return []
    // The geometry has its middle at 0.
    const side = alongX * y - alongY * x >= 0 ? 1 : -1
    const awayX = (side * -alongY) / length
    const awayY = (side * alongX) / length
    return [{ label: `${label} ${formatDelta(lossS)}`, of, from, to, x, y, awayX, awayY }]
  })
}
