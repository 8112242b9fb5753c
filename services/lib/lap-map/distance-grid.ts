import { type Bounds, METRES_PER_DEGREE, metresPerLongitude } from './bounds.ts'
import { MAX_MERCATOR_LAT } from './mercator.ts'

/** Lines north to south and west to east, as pairs of [lon, lat] in degrees. */
export interface DistanceGrid {
  /** Metres between two lines. */
  readonly spacingM: number
  readonly lines: readonly (readonly [readonly [number, number], readonly [number, number]])[]
}

/** Lines across the longer side of the bounds, at most. */
const MOST_LINES = 12

/** The grid continues on each side for this many sizes of the bounds, beyond the widest view. */
const REACH = 3

/** Returns a grid over the bounds and around them, with 1, 2 or 5 times a power of ten metres between lines. */
export function distanceGrid(bounds: Bounds): DistanceGrid {
  const middleLat = (bounds.north + bounds.south) / 2
  const middleLon = (bounds.east + bounds.west) / 2
  const perLon = metresPerLongitude(middleLat)
  const wideM = (bounds.east - bounds.west) * perLon
  const highM = (bounds.north - bounds.south) * METRES_PER_DEGREE
  const longerM = Math.max(wideM, highM)
  const spacingM = roundSpacing(longerM / MOST_LINES)
  const count = Math.ceil((REACH * longerM) / spacingM)
  const latAt = (step: number) =>
    Math.min(MAX_MERCATOR_LAT, Math.max(-MAX_MERCATOR_LAT, middleLat + (step * spacingM) / METRES_PER_DEGREE))
  const lonAt = (step: number) => middleLon + Math.min(180, Math.max(-180, (step * spacingM) / perLon))
  const lines = Array.from({ length: 2 * count + 1 }, (_, i) => i - count).flatMap(
    step =>
      [
        [
          [lonAt(step), latAt(-count)],
          [lonAt(step), latAt(count)],
        ],
        [
          [lonAt(-count), latAt(step)],
          [lonAt(count), latAt(step)],
        ],
      ] as const,
  )
  return { spacingM, lines }
}

/** Returns the next larger 1, 2 or 5 times a power of ten, 10 at least. */
function roundSpacing(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(10, metres)))
  return power * ([1, 2, 5].find(times => times * power >= metres) ?? 10)
}
