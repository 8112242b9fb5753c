import type { DistanceRange } from './distance-view-store.ts'
import type { LapSeries, Recording } from './lap-series.ts'

/** The distance of each row of a lap. */
export interface LapDistance {
  /** Metres from the line, one value a row from `row_start` on; NaN for blank rows. They can decrease. */
  readonly metres: Float64Array
  /** The extent of the whole lap: the track's length for a complete lap, otherwise what was driven. */
  readonly full: DistanceRange
}

const MIN_FULL_M = 20

export function lapDistance(preview: Recording, lap: LapSeries['lap']): LapDistance {
  const length = Math.max(0, lap.row_end - lap.row_start + 1)
  const metres = new Float64Array(length)
  const trackM = preview.meta.track_length_m ?? 0
  // If LapDist is missing, use the share of the lap; without a track length, as a percentage.
  const hasDistance = !preview.debug.missing.includes('lapDist')
  const scale = trackM || 100
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < length; i++) {
    const row = lap.row_start + i
    const metre = hasDistance ? preview.lapDist[row]! : preview.lapDistPct[row]! * scale
    if (!Number.isFinite(metre) || isBlank(preview, row)) {
      metres[i] = Number.NaN
      continue
    }
    metres[i] = metre
    if (metre < min) min = metre
    if (metre > max) max = metre
  }
  if (min > max) return { metres, full: { minM: 0, maxM: scale } }
  if (lap.is_completed) return { metres, full: { minM: Math.min(0, min), maxM: Math.max(trackM, max) } }
  // A car that hardly moved still needs an axis.
  return { metres, full: { minM: min, maxM: Math.max(max, min + MIN_FULL_M) } }
}

/** Returns the index of the row nearest to `metre`; -1 without one. A plain scan: 0.1 ms for 100 000 rows. */
export function nearestAtDistance(
  metres: Float64Array,
  metre: number,
  isMeant: (index: number) => boolean = () => true,
): number {
  let best = -1
  let bestGap = Number.POSITIVE_INFINITY
  for (let i = 0; i < metres.length; i++) {
    const gap = Math.abs(metres[i]! - metre)
    if (gap < bestGap && isMeant(i)) {
      best = i
      bestGap = gap
    }
  }
  return best
}

/**
 * Returns whether a row is blank: the simulator writes zeros at a file's start and at a reset. A car on the
 * line also has distance 0, but a position.
 */
function isBlank(preview: Recording, row: number): boolean {
  return (
    preview.lat[row] === 0 &&
    preview.lon[row] === 0 &&
    preview.lapDistPct[row] === 0 &&
    preview.speed[row] === 0
  )
}
