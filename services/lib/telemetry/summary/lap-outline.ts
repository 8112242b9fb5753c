import type { Lap } from '../laps/lap.ts'
import type { LapData } from '../laps/lap-data.ts'

/** Width and height of the square that an outline fills. */
export const OUTLINE_SIZE = 1000

const POINTS = 96

/**
 * Returns a small outline of the track as pairs of x and y, in a square of `OUTLINE_SIZE`, north up. It is the way of the
 * fastest complete lap, else of the longest. Empty if that lap has no positions.
 */
export function lapOutline({ channel: { Lat: lat, Lon: lon } }: LapData, laps: readonly Lap[]): Int16Array {
  const lap = lapToDraw(laps)
  if (lap === null || lat === null || lon === null) return new Int16Array(0)
  const step = (lap.row_end - lap.row_start) / (POINTS - 1)
  return outlineOf(
    lat,
    lon,
    Array.from({ length: POINTS }, (_, i) => lap.row_start + Math.round(i * step)),
  )
}

/** Returns the way along these rows as pairs of x and y, as `lapOutline` does. Leaves out rows without a position. */
export function outlineOf(
  lat: ArrayLike<number>,
  lon: ArrayLike<number>,
  rows: readonly number[],
): Int16Array {
  const placed = rows.filter(row => Number.isFinite(lat[row]!) && Number.isFinite(lon[row]!))
  // Across a track, a degree of longitude has one length.
  const eastScale = Math.cos(((lat[placed[0] ?? 0] ?? 0) * Math.PI) / 180)
  return fit(placed.map(row => [lon[row]! * eastScale, -lat[row]!]))
}

function lapToDraw(laps: readonly Lap[]): Lap | null {
  let best: Lap | null = null
  for (const lap of laps) if (best === null || isBetter(lap, best)) best = lap
  return best
}

function isBetter(lap: Lap, than: Lap): boolean {
  if (lap.is_completed !== than.is_completed) return lap.is_completed
  return lap.is_completed
    ? (lap.time_s ?? Number.POSITIVE_INFINITY) < (than.time_s ?? Number.POSITIVE_INFINITY)
    : lap.row_end - lap.row_start > than.row_end - than.row_start
}

/** Scales the points evenly into the square, in its middle. */
function fit(points: readonly (readonly [x: number, y: number])[]): Int16Array {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const left = Math.min(...xs)
  const top = Math.min(...ys)
  const width = Math.max(...xs) - left
  const height = Math.max(...ys) - top
  const span = Math.max(width, height)
  if (!(span > 0)) return new Int16Array(0)
  const scale = OUTLINE_SIZE / span
  const flat = points.flatMap(([x, y]) => [
    Math.round((x - left + (span - width) / 2) * scale),
    Math.round((y - top + (span - height) / 2) * scale),
  ])
  return new Int16Array(flat)
}
