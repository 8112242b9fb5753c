/** Where a lap was driven: the position of its line, and its length. */
export interface TrackLocation {
  /** Degrees, WGS 84, of the line. */
  readonly lat: number
  readonly lon: number
  /** Metres of a lap. */
  readonly lengthM: number
}

/** Returns whether two laps are of one track. A track that was scanned again differs by less. */
export function isSameLocation(a: TrackLocation, b: TrackLocation): boolean {
  return distanceM(a, b) <= MOST_APART_M && isSameTrackLength(a.lengthM, b.lengthM)
}

/** Returns whether a lap of `lengthM` metres can be of a track of `trackM` metres. */
export function isSameTrackLength(lengthM: number, trackM: number): boolean {
  return Math.abs(lengthM - trackM) <= MOST_LONGER * trackM
}

const MOST_APART_M = 500
const MOST_LONGER = 0.05

/** Returns the distance in metres, exact for close points; a large one stays large. */
function distanceM(a: TrackLocation, b: TrackLocation): number {
  const north = a.lat - b.lat
  const east = ((((a.lon - b.lon) % 360) + 540) % 360) - 180
  return M_PER_DEGREE * Math.hypot(north, east * Math.cos((b.lat * Math.PI) / 180))
}

const M_PER_DEGREE = 111_195

/**
 * Finds the location on which more than half of the votes agree, and three at least (D-27). Null if there is
 * none. A vote is that of one network: see `findVotes`.
 */
export function agreedLocation(votes: readonly TrackLocation[]): TrackLocation | null {
  for (const location of votes) {
    const agreeing = votes.filter(other => isSameLocation(other, location)).length
    if (agreeing >= FEWEST_VOTES && agreeing > votes.length / 2) return location
  }
  return null
}

/** One account can claim anything, and two can be of one person. */
export const FEWEST_VOTES = 3
