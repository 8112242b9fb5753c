/** Positions on Earth in degrees, one entry a sample. */
export interface Positions {
  readonly lat: ArrayLike<number>
  readonly lon: ArrayLike<number>
}

/** Positions of samples, ready to draw: missing ones are NaN, and longitudes do not jump at 180°. */
export interface KnownPositions {
  readonly lat: Float64Array
  /** From -360 to 540: within half a turn of the first position. */
  readonly lon: Float64Array
  /** Number of samples with a position. */
  readonly known: number
}

/** Returns whether the pair is a place on Earth. */
function isPosition(lat: number | undefined, lon: number | undefined): boolean {
  // Comparisons with NaN and undefined are false.
  return Math.abs(lat!) <= 90 && Math.abs(lon!) <= 360
}

/**
 * Copies the positions of samples. A sample without a place on Earth becomes NaN. Whole turns are added to
 * longitudes, so that a track on the 180th meridian stays in one piece.
 */
export function knownPositions({ lat, lon }: Positions): KnownPositions {
  const length = Math.max(lat.length, lon.length)
  const copy = {
    lat: new Float64Array(length).fill(Number.NaN),
    lon: new Float64Array(length).fill(Number.NaN),
  }
  let first: number | null = null
  let known = 0
  for (let i = 0; i < length; i++) {
    if (!isPosition(lat[i], lon[i])) continue
    first ??= normalLon(lon[i]!)
    copy.lat[i] = lat[i]!
    copy.lon[i] = first + normalLon(lon[i]! - first)
    known++
  }
  return { ...copy, known }
}

/** Returns the longitude from -180 (included) to 180. */
export function normalLon(lon: number): number {
  if (lon >= -180 && lon < 180) return lon
  return lon - 360 * Math.floor((lon + 180) / 360)
}
