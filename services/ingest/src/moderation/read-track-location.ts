import type { TrackLocation } from '../tracks/track-location.ts'

/** A place as a moderator writes it: degrees north, degrees east, metres of a lap. Null where it is none. */
export function readTrackLocation(words: readonly string[]): TrackLocation | null {
  const [lat = '', lon = '', length = ''] = words
  if (![lat, lon, length].every(word => /^-?\d+(\.\d+)?$/.test(word))) return null
  const location = { lat: Number(lat), lon: Number(lon), lengthM: Number(length) }
  const isOnEarth = Math.abs(location.lat) <= 90 && Math.abs(location.lon) <= 180
  // No lap is shorter than a kart track or longer than a rally: kilometres are not taken for metres.
  return isOnEarth && location.lengthM >= 100 && location.lengthM <= 100_000 ? location : null
}
