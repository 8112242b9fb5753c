import type { LapRows } from './lap-map-input.ts'
import { MAX_MERCATOR_LAT } from './mercator.ts'
import type { KnownPositions } from './positions.ts'

/** A box in degrees. East is never less than west: it is above 180 if the box crosses that meridian. */
export interface Bounds {
  readonly north: number
  readonly south: number
  readonly east: number
  readonly west: number
}

/** Metres in a degree of latitude; the specification divides metres by it (001, 9). */
export const METRES_PER_DEGREE = 111_000

/** A car that never moved has no extent: its bounds have this width and height. */
const MIN_EXTENT_M = 100

/**
 * Returns the bounds of the samples of laps, at least 100 m wide and high, and inside a Mercator map. Null if
 * none of them has a position.
 */
export function boundsOf(
  { lat, lon }: Pick<KnownPositions, 'lat' | 'lon'>,
  laps: readonly Pick<LapRows, 'row_start' | 'row_end'>[],
): Bounds | null {
  let north = Number.NEGATIVE_INFINITY
  let south = Number.POSITIVE_INFINITY
  let east = Number.NEGATIVE_INFINITY
  let west = Number.POSITIVE_INFINITY
  for (const { row_start, row_end } of laps) {
    for (let i = Math.max(0, row_start); i <= row_end && i < lat.length; i++) {
      if (Number.isNaN(lat[i]!)) continue
      north = Math.max(north, lat[i]!)
      south = Math.min(south, lat[i]!)
      east = Math.max(east, lon[i]!)
      west = Math.min(west, lon[i]!)
    }
  }
  if (north < south) return null
  // A map ends near 85°, so a lap at a pole is drawn at its edge.
  const top = onMap(Math.max(north, -EDGE_LAT))
  const bottom = onMap(Math.min(south, EDGE_LAT))
  const latGap = Math.max(0, MIN_EXTENT_M / METRES_PER_DEGREE - (top - bottom)) / 2
  const lonGap = Math.max(0, MIN_EXTENT_M / metresPerLongitude((top + bottom) / 2) - (east - west)) / 2
  return {
    north: onMap(top + latGap),
    south: onMap(bottom - latGap),
    east: east + lonGap,
    west: west - lonGap,
  }
}

/** Leaves a little room between the bounds and the edge of the map. */
const EDGE_LAT = MAX_MERCATOR_LAT - MIN_EXTENT_M / METRES_PER_DEGREE

/** Metres in a degree of longitude at this latitude. */
export function metresPerLongitude(lat: number): number {
  return METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
}

/** Widens the bounds on each side by a share of their width and height. */
export function widenBounds({ north, south, east, west }: Bounds, share: number): Bounds {
  const high = (north - south) * share
  const wide = (east - west) * share
  return {
    north: onMap(north + high),
    south: onMap(south - high),
    east: east + wide,
    west: west - wide,
  }
}

const onMap = (lat: number) => Math.min(MAX_MERCATOR_LAT, Math.max(-MAX_MERCATOR_LAT, lat))
