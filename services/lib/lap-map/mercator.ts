/** Latitude at the edge of a square Mercator map, in degrees. */
export const MAX_MERCATOR_LAT = 85.051129

/** Returns the place on a Mercator map with the width of 1: 0 is 180° west, and the top edge. */
export const mercatorX = (lon: number): number => (lon + 180) / 360

/** Latitudes beyond the edge of the map count as the edge. */
export function mercatorY(lat: number): number {
  const within = Math.min(MAX_MERCATOR_LAT, Math.max(-MAX_MERCATOR_LAT, lat))
  return 0.5 - Math.asinh(Math.tan((within * Math.PI) / 180)) / (2 * Math.PI)
}

export const lonOfMercatorX = (x: number): number => 360 * x - 180

export function latOfMercatorY(y: number): number {
  return (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI
}
