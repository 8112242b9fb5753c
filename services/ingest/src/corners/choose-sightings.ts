import { isSameLocation, isSameTrackLength, type TrackLocation } from '../tracks/track-location.ts'
import type { Sighting } from './sighting.ts'

/** The stored sighting of a driver, with the facts that decide whether it counts. */
export interface StoredSighting extends Sighting {
  readonly userId: string
  /** Of the sighting's lap. */
  readonly timeMs: number
  readonly recordedAt: Date
  /** Null if its file does not have it. */
  readonly location: TrackLocation | null
  /** Null if the account cannot vote (D-27). */
  readonly voter: Voter | null
}

export interface Voter {
  /** Digest of the account's network; null if it is not known. */
  readonly network: string | null
  readonly createdAt: Date
}

export interface ChosenSightings {
  /** Those that count as votes do, the fastest first. */
  readonly valid: readonly StoredSighting[]
  /** All others, the earliest first. */
  readonly others: readonly StoredSighting[]
  /** Those that the track does not need. */
  readonly surplus: readonly StoredSighting[]
}

/** Sightings that a track stores of each sort. More would not change what most of them show. */
const MOST_SIGHTINGS = 20

/**
 * Chooses which sightings of a track count. They count as votes do (D-27): only accounts that can vote, and of
 * a network only the oldest. Of these the fastest laps stay. So a new account pushes no driver out, and a best
 * lap of the board counts at any time. Of the others the newest stay, because identity has yet to answer about
 * their accounts. Once the track has a location, laps of other places do not count at all.
 *
 * @param location null while drivers have not agreed
 */
export function chooseSightings(
  stored: readonly StoredSighting[],
  location: TrackLocation | null,
): ChosenSightings {
  const isThere = ({ location: driven }: StoredSighting) =>
    location === null || (driven !== null && isSameLocation(driven, location))
  const here = stored.filter(isThere)
  const voters = onePerNetwork(here)
  const lengthM = location?.lengthM ?? middleLength(voters)
  const valid = voters
    .filter(seen => lengthM !== null && seen.lengthM !== null && isSameTrackLength(seen.lengthM, lengthM))
    .sort((a, b) => a.timeMs - b.timeMs || a.recordedAt.getTime() - b.recordedAt.getTime())
    .slice(0, MOST_SIGHTINGS)
  const others = here
    .filter(seen => !valid.includes(seen))
    .sort((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime())
    .slice(-MOST_SIGHTINGS)
  const kept = new Set([...valid, ...others])
  return { valid, others, surplus: stored.filter(seen => !kept.has(seen)) }
}

/** Returns the sighting of the oldest account of each network. Accounts without a network count as one. */
function onePerNetwork(sightings: readonly StoredSighting[]): readonly StoredSighting[] {
  const byNetwork = new Map<string | null, StoredSighting>()
  for (const seen of sightings) {
    if (seen.voter === null) continue
    const before = byNetwork.get(seen.voter.network)
    if (before === undefined || isOlder(seen, before)) byNetwork.set(seen.voter.network, seen)
  }
  return [...byNetwork.values()]
}

function isOlder(a: StoredSighting, b: StoredSighting): boolean {
  const apartMs = a.voter!.createdAt.getTime() - b.voter!.createdAt.getTime()
  return apartMs < 0 || (apartMs === 0 && a.userId < b.userId)
}

/** Returns the middle one of the lengths in metres; null if there is none. */
function middleLength(sightings: readonly StoredSighting[]): number | null {
  const lengths = sightings
    .flatMap(({ lengthM }) => (lengthM === null ? [] : [lengthM]))
    .sort((a, b) => a - b)
  return lengths[(lengths.length - 1) >> 1] ?? null
}
