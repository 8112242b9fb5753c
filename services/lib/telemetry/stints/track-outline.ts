import type { LapTrack } from '../compare/lap-track.ts'
import { outlineOf } from '../summary/lap-outline.ts'

/**
 * Returns the way of a lap as pairs of x and y, in a square of `OUTLINE_SIZE`, north up. It has `points` of them at even
 * steps of the distance, both ends included. Empty if a position is absent.
 */
export function trackOutline({ lat, lon, pct }: LapTrack, points: number): Int16Array {
  if (lat === undefined || lon === undefined) return new Int16Array(0)
  const step = (pct.length - 1) / (points - 1)
  const outline = outlineOf(
    lat,
    lon,
    Array.from({ length: points }, (_, i) => Math.round(i * step)),
  )
  return outline.length === 2 * points ? outline : new Int16Array(0)
}
