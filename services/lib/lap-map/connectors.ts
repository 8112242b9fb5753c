import type { KnownPositions } from './positions.ts'

/** A straight line between two samples, in degrees. */
export interface Connector {
  readonly lat: readonly [number, number]
  readonly lon: readonly [number, number]
}

/** Returns the lines between pairs of samples. Leaves out pairs beyond the data or without a position. */
export function connectors(
  { lat, lon }: KnownPositions,
  boundaryPairs: readonly (readonly [number, number])[],
): Connector[] {
  const isKnown = (i: number) => Number.isFinite(lat[i])
  return boundaryPairs
    .filter(([from, to]) => isKnown(from) && isKnown(to))
    .map(([from, to]) => ({ lat: [lat[from]!, lat[to]!], lon: [lon[from]!, lon[to]!] }))
}
