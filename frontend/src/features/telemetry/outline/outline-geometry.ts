import { boxOf } from './outline-box.ts'

/** A lap on a plane, in metres east (x) and south (y) of the plane's middle. So y grows downwards. */
export interface OutlineGeometry {
  readonly plane: Plane
  /** Row of the preview at index 0. */
  readonly rowStart: number
  /** NaN if the position is missing: the library leaves such rows blank. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** 1 if the car cannot have driven here from the last known position: a reset, a tow, a gap. */
  readonly breaks: Uint8Array
  /** Half the extent in metres on each axis, for a lap on its own plane. The origin is the middle. */
  readonly halfWidth: number
  readonly halfHeight: number
  /** Number of rows with a position. */
  readonly known: number
}

/** The point where a plane touches the Earth, and its origin. */
export interface Plane {
  /** Degrees. */
  readonly lat: number
  readonly lon: number
  /** Metres of the origin, east and south of that point. */
  readonly middleX: number
  readonly middleY: number
}

/** Maps metres of a geometry to pixels: `pixel = middle + metre * scale`. */
export interface OutlineTransform {
  readonly scale: number
  readonly middleX: number
  readonly middleY: number
}

/** Metres in a degree of latitude, and of longitude at the equator, on the WGS 84 ellipsoid near 45°. */
const METRES_PER_LATITUDE = 111_132
const METRES_PER_LONGITUDE = 111_320

/** The highest speed of a car. A faster step over more than `MIN_JUMP_M` was not driven. */
const MAX_SPEED_MPS = 150
const MIN_JUMP_M = 15

/**
 * Projects rows `rowStart..rowEnd` (inclusive) of a lap onto the given plane, or around its own middle
 * without one. For a circuit of a few kilometres, the equirectangular projection is exact to a few
 * centimetres.
 */
export function projectLap(
  lat: ArrayLike<number>,
  lon: ArrayLike<number>,
  timeS: ArrayLike<number>,
  rowStart: number,
  rowEnd: number,
  onto?: Plane,
): OutlineGeometry {
  const length = Math.max(0, rowEnd - rowStart + 1)
  const x = new Float64Array(length).fill(Number.NaN)
  const y = new Float64Array(length).fill(Number.NaN)
  const breaks = new Uint8Array(length)

  let touch = onto ?? null
  let known = 0
  let metresPerLongitude = 0
  let last = -1
  for (let i = 0; i < length; i++) {
    const row = rowStart + i
    if (!Number.isFinite(lat[row]!) || !Number.isFinite(lon[row]!)) continue
    touch ??= { lat: lat[row]!, lon: lon[row]!, middleX: 0, middleY: 0 }
    if (known === 0) metresPerLongitude = METRES_PER_LONGITUDE * Math.cos((touch.lat * Math.PI) / 180)
    // A track on the 180th meridian must stay in one piece.
    let east = lon[row]! - touch.lon
    if (east > 180) east -= 360
    else if (east < -180) east += 360
    const px = east * metresPerLongitude
    const py = (touch.lat - lat[row]!) * METRES_PER_LATITUDE
    x[i] = px
    y[i] = py
    if (last < 0) breaks[i] = 1
    else {
      const step = Math.hypot(px - x[last]!, py - y[last]!)
      const seconds = timeS[row]! - timeS[rowStart + last]!
      if (step > MIN_JUMP_M && !(step <= MAX_SPEED_MPS * seconds)) breaks[i] = 1
    }
    last = i
    known++
  }

  if (touch === null || known === 0) {
    const plane = touch ?? { lat: 0, lon: 0, middleX: 0, middleY: 0 }
    return { plane, rowStart, x, y, breaks, halfWidth: 0, halfHeight: 0, known }
  }
  const { minX, maxX, minY, maxY } = boxOf(x, y)
  const middleX = onto?.middleX ?? (minX + maxX) / 2
  const middleY = onto?.middleY ?? (minY + maxY) / 2
  for (let i = 0; i < length; i++) {
    x[i] = x[i]! - middleX
    y[i] = y[i]! - middleY
  }
  return {
    plane: { lat: touch.lat, lon: touch.lon, middleX, middleY },
    rowStart,
    x,
    y,
    breaks,
    halfWidth: (maxX - minX) / 2,
    halfHeight: (maxY - minY) / 2,
    known,
  }
}
