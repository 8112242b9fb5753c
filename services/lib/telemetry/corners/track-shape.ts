import type { LapTrack } from '../compare/lap-track.ts'
import { type Curvature, curvature } from './curvature.ts'

/** How a road bends and how fast cars drive it, over even steps of the lap with both ends. */
export interface TrackShape {
  readonly bend: Curvature
  /** m/s; null if no lap has its speed. */
  readonly speed: Float64Array | null
}

/**
 * Returns the shape that most laps agree on: the median at each point, so that no single lap moves it. Laps
 * without positions count only if none has positions. Null if no lap shows how the road bends.
 */
export function trackShape(laps: readonly LapTrack[]): TrackShape | null {
  const shown = laps.flatMap(lap => {
    const bend = curvature(lap)
    return bend === null ? [] : [{ lap, bend }]
  })
  const located = shown.filter(({ bend }) => bend.isFromPositions)
  const used = located.length > 0 ? located : shown
  if (used.length === 0) return null
  const points = Math.round(median(used.map(({ bend }) => bend.values.length)))
  const lengthM = median(used.map(({ bend }) => bend.stepM * (bend.values.length - 1)))
  const speeds = used.flatMap(({ lap }) => lap.speed ?? [])
  const bends = used.map(({ bend }) => bend.values)
  return {
    bend: {
      values: medianAtEach(bends, points),
      stepM: lengthM / (points - 1),
      isFromPositions: located.length > 0,
    },
    speed: speeds.length === 0 ? null : medianAtEach(speeds, points),
  }
}

type Values = Float64Array | Float32Array

function medianAtEach(laps: readonly Values[], points: number): Float64Array {
  const at = new Float64Array(points)
  const sorted = new Float64Array(laps.length)
  for (let i = 0; i < points; i++) {
    let count = 0
    for (const lap of laps) {
      const value = valueAt(lap, i, points)
      if (!Number.isFinite(value)) continue
      // Sorts by insertion: a list for each point would cost more than all the rest.
      let slot = count++
      for (; slot > 0 && sorted[slot - 1]! > value; slot--) sorted[slot] = sorted[slot - 1]!
      sorted[slot] = value
    }
    at[i] = count === 0 ? Number.NaN : middleOf(sorted, count)
  }
  return at
}

/** Interpolates between two points of a lap with other steps. */
function valueAt(lap: Values, index: number, points: number): number {
  if (lap.length === points) return lap[index]!
  const at = (index / (points - 1)) * (lap.length - 1)
  const before = Math.min(lap.length - 2, Math.floor(at))
  const share = at - before
  return lap[before]! * (1 - share) + lap[before + 1]! * share
}

export function median(values: readonly number[]): number {
  return middleOf(
    values.toSorted((a, b) => a - b),
    values.length,
  )
}

/** Returns the mean of the middle two for an even count, so that the order does not matter. */
function middleOf(sorted: ArrayLike<number>, count: number): number {
  const middle = count >> 1
  return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
