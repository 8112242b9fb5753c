/** A lap on a plane: metres east (x) and south (y) of the plane's middle, so that y grows as on a screen. */
export interface OutlineGeometry {
  readonly plane: Plane
  /** Row of the preview that index 0 belongs to. */
  readonly rowStart: number
  /** NaN where the position is absent: the library leaves such rows blank. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** 1 where the car cannot have driven here from the last known position: a reset, a tow, a hole. */
  readonly breaks: Uint8Array
  /** Half the extent in metres on each axis, of a lap on its own plane; the middle is the origin. */
  readonly halfWidth: number
  readonly halfHeight: number
  /** Rows with a position. */
  readonly known: number
}

/** Where a plane touches the earth, and which of its points is the origin. */
export interface Plane {
  /** Degrees. */
  readonly lat: number
  readonly lon: number
  /** Metres east and south of there. */
  readonly middleX: number
  readonly middleY: number
}

/** Where each metre of a geometry lands: `pixel = middle + metre * scale`. */
export interface OutlineTransform {
  readonly scale: number
  readonly middleX: number
  readonly middleY: number
}

/** Pixels left free around the fitted lap (spec 001, 9). */
export const FIT_PADDING = 20

/** Metres a degree of latitude, and of longitude at the equator, on the WGS 84 ellipsoid near 45°. */
const METRES_PER_LATITUDE = 111_132
const METRES_PER_LONGITUDE = 111_320

/** No car moves faster (m/s); a longer step over more than `MIN_JUMP_M` was not driven. */
const MAX_SPEED_MPS = 150
const MIN_JUMP_M = 15

/**
 * Projects rows `rowStart..rowEnd` (inclusive) of a lap, onto the plane of another lap where that is
 * given, else around its own middle. Over a circuit's few kilometres the equirectangular projection is
 * exact to a few centimetres.
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
  let minX = Number.POSITIVE_INFINITY
  let maxX = Number.NEGATIVE_INFINITY
  let minY = Number.POSITIVE_INFINITY
  let maxY = Number.NEGATIVE_INFINITY
  let last = -1
  for (let i = 0; i < length; i++) {
    const row = rowStart + i
    if (!Number.isFinite(lat[row]!) || !Number.isFinite(lon[row]!)) continue
    touch ??= { lat: lat[row]!, lon: lon[row]!, middleX: 0, middleY: 0 }
    if (known === 0) metresPerLongitude = METRES_PER_LONGITUDE * Math.cos((touch.lat * Math.PI) / 180)
    // A track on the 180th meridian must not be torn apart.
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
    if (px < minX) minX = px
    if (px > maxX) maxX = px
    if (py < minY) minY = py
    if (py > maxY) maxY = py
  }

  if (touch === null || known === 0) {
    const plane = touch ?? { lat: 0, lon: 0, middleX: 0, middleY: 0 }
    return { plane, rowStart, x, y, breaks, halfWidth: 0, halfHeight: 0, known }
  }
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

/** The transform that shows the whole lap in the middle of a canvas, north up, `FIT_PADDING` free. */
export function fitOutline(
  geometry: Pick<OutlineGeometry, 'halfWidth' | 'halfHeight'>,
  width: number,
  height: number,
): OutlineTransform {
  const free = (size: number) => Math.max(1, size - 2 * FIT_PADDING)
  // A car that never moved has no extent: a hundred metres around it are shown.
  const scale = Math.min(
    free(width) / Math.max(100, 2 * geometry.halfWidth),
    free(height) / Math.max(100, 2 * geometry.halfHeight),
  )
  return { scale, middleX: width / 2, middleY: height / 2 }
}
