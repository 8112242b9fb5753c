import type { Place } from '../tracks/place.ts'

/** A place as a moderator writes it: degrees north, degrees east, metres of a lap. Null where it is none. */
export function readPlace(words: readonly string[]): Place | null {
  const [lat = '', lon = '', length = ''] = words
  if (![lat, lon, length].every(word => /^-?\d+(\.\d+)?$/.test(word))) return null
  const place = { lat: Number(lat), lon: Number(lon), lengthM: Number(length) }
  const isOnEarth = Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180
  // No lap is shorter than a kart track or longer than a rally: kilometres are not taken for metres.
  return isOnEarth && place.lengthM >= 100 && place.lengthM <= 100_000 ? place : null
}
