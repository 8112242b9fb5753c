/** WGS 84: the equator's radius in metres, and the square of the eccentricity. */
const RADIUS_M = 6_378_137
const ECCENTRICITY_SQ = 0.006_694_379_990_14

/**
 * Metres around a place: `x` to the east, `y` up and `z` to the south, as in three.js. Up is square to the
 * ellipsoid at the place, so the ground falls away with the distance: 2 m in 5 km.
 */
export interface LocalFrame {
  /** Degrees. */
  readonly lat: number
  readonly lon: number
  /** Metres above the ellipsoid, which are 0 in the frame. */
  readonly altM: number
  /** Returns the point of a place. */
  toLocal(lat: number, lon: number, altM: number): readonly [x: number, y: number, z: number]
  /** Returns a point in metres from the middle of the Earth: to 0° east, to 90° east, to the north pole. */
  fromLocal(x: number, y: number, z: number): readonly [x: number, y: number, z: number]
}

/** Creates the frame around a place on Earth. */
export function localFrame(lat: number, lon: number, altM: number): LocalFrame {
  const [sinLat, cosLat] = sinCos(lat)
  const [sinLon, cosLon] = sinCos(lon)
  const [x0, y0, z0] = geocentric(lat, lon, altM)
  return {
    lat,
    lon,
    altM,
    toLocal(atLat, atLon, atAltM) {
      const [x, y, z] = geocentric(atLat, atLon, atAltM)
      const [dx, dy, dz] = [x - x0, y - y0, z - z0]
      const outward = cosLon * dx + sinLon * dy
      return [cosLon * dy - sinLon * dx, cosLat * outward + sinLat * dz, -(cosLat * dz - sinLat * outward)]
    },
    fromLocal(x, y, z) {
      // `z` is south, so north is its opposite.
      const outward = cosLat * y + sinLat * z
      return [
        x0 + cosLon * outward - sinLon * x,
        y0 + sinLon * outward + cosLon * x,
        z0 + sinLat * y - cosLat * z,
      ]
    },
  }
}

/** Returns the point in metres from the middle of the Earth. */
function geocentric(lat: number, lon: number, altM: number): readonly [number, number, number] {
  const [sinLat, cosLat] = sinCos(lat)
  const [sinLon, cosLon] = sinCos(lon)
  const normal = RADIUS_M / Math.sqrt(1 - ECCENTRICITY_SQ * sinLat * sinLat)
  const toAxis = (normal + altM) * cosLat
  return [toAxis * cosLon, toAxis * sinLon, (normal * (1 - ECCENTRICITY_SQ) + altM) * sinLat]
}

function sinCos(degrees: number): readonly [sin: number, cos: number] {
  const radians = (degrees * Math.PI) / 180
  return [Math.sin(radians), Math.cos(radians)]
}
