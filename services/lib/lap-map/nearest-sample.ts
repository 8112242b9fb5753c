import Flatbush from 'flatbush'
import { mercatorX, mercatorY } from './mercator.ts'
import type { KnownPositions } from './positions.ts'

/** Finds the sample nearest to a place. */
export type NearestSample = (place: { readonly lat: number; readonly lon: number }) => number

/**
 * Builds an index of samples `from..to` (inclusive) with a position. It compares distances on a Mercator
 * map, as a driver sees them. The returned function gives the nearest sample; -1 without samples.
 */
export function indexSamples({ lat, lon }: KnownPositions, from: number, to: number): NearestSample {
  const samples: number[] = []
  for (let i = Math.max(0, from); i <= to && i < lat.length; i++) {
    if (!Number.isNaN(lat[i]!)) samples.push(i)
  }
  if (samples.length === 0) return () => -1
  const index = new Flatbush(samples.length)
  for (const i of samples) index.add(mercatorX(lon[i]!), mercatorY(lat[i]!))
  index.finish()
  const middleX = (index.minX + index.maxX) / 2
  return place => {
    const x = mercatorX(place.lon)
    const turns = Math.round(middleX - x)
    const [found] = index.neighbors(x + turns, mercatorY(place.lat), 1)
    return found === undefined ? -1 : samples[found]!
  }
}
