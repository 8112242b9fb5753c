import type { LapTrack } from '@lapwing/telemetry/compare'
import { type FoundCorner, findTrackCorners } from '@lapwing/telemetry/corners'

/** The corners that the laps of one file show. */
export interface Sighting {
  /** The fastest of the laps that show them. */
  readonly lapId: string
  readonly lengthM: number | null
  readonly corners: readonly FoundCorner[]
}

export interface SeenLap {
  readonly lap: { readonly id: string; readonly counts: boolean }
  readonly track: LapTrack
}

/** Laps that the corners are found from. More laps cost time and change nothing. */
const MOST_LAPS = 5

/**
 * Finds the corners in the laps of a file that count. Null if no lap shows any. A lap without positions is
 * ignored: it shows how its driver steered, not where the road bends.
 *
 * @param laps the fastest first
 */
export function sightingOf(laps: readonly SeenLap[]): Sighting | null {
  const placed = laps
    .filter(({ lap, track: { lat, lon } }) => lap.counts && lat !== undefined && lon !== undefined)
    .slice(0, MOST_LAPS)
  const [fastest] = placed
  if (fastest === undefined) return null
  const corners = findTrackCorners(placed.map(({ track: { steering: _steering, ...track } }) => track))
  return corners.length === 0 ? null : { lapId: fastest.lap.id, lengthM: fastest.track.lengthM, corners }
}
