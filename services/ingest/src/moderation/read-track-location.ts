import type { TrackLocation } from '../tracks/track-location.ts'

/** Reads a location in degrees north, degrees east and metres of a lap. Null if it is not valid. */
export function readTrackLocation(words: readonly string[]): TrackLocation | null {
  const [lat = '', lon = '', length = ''] = words
  if (![lat, lon, length].every(word => /^-?\d+(\.\d+)?$/.test(word))) return null
  const location = { lat: Number(lat), lon: Number(lon), lengthM: Number(length) }
  const isOnEarth = Math.abs(location.lat) <= 90 && Math.abs(location.lon) <= 180
  // Longer than a kart track and shorter than a rally, so kilometres are rejected.
  return isOnEarth && location.lengthM >= 100 && location.lengthM <= 100_000 ? location : null
}
