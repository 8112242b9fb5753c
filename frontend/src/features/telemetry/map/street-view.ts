import type { MapPlace } from './map-place.ts'

/** Returns the address of a map service's page for a place. `template` has `{lat}` and `{lon}` for its degrees. */
export function streetViewAddress(template: string, { lat, lon }: MapPlace): string {
  return template.replaceAll('{lat}', lat.toFixed(6)).replaceAll('{lon}', lon.toFixed(6))
}
