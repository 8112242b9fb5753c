import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { TrackName } from '../tracks/combination.repository.ts'
import {
  findLapsOnBoard,
  findLocatedTracks,
  findVotes,
  pagesOfDrivers,
} from '../tracks/track-location.repository.ts'
import { isSameLocation, type TrackLocation } from '../tracks/track-location.ts'

/** Laps and votes that contradict a track location. Only a moderator can move it or hide laps (D-27). */
export interface LocationConflict {
  readonly track: TrackName
  readonly location: TrackLocation
  /** Laps on its boards that were driven elsewhere, or have no location. */
  readonly laps: { readonly count: number; readonly example: string | null }
  /** Votes for other locations, at most ten. */
  readonly votes: readonly TrackLocation[]
}

/**
 * Checks all tracks with a location, a page of drivers at a time. Returns at most `limit` conflicts, those with
 * most votes and laps first. So an account that votes on many tracks hides no track with more votes.
 */
export async function findLocationConflicts(
  db: Kysely<Database>,
  limit: number,
): Promise<readonly LocationConflict[]> {
  const conflicts: LocationConflict[] = []
  let after = 0
  for (;;) {
    const tracks = await findLocatedTracks(db, { after, limit: TRACKS_AT_ONCE })
    for (const { trackId, track, location } of tracks) {
      const laps = await findElsewhere(db, trackId, location)
      const votes = (await findVotes(db, trackId, MOST_VOTES)).filter(vote => !isSameLocation(vote, location))
      if (laps.count > 0 || votes.length > 0) conflicts.push({ track, location, laps, votes })
      after = trackId
    }
    if (tracks.length < TRACKS_AT_ONCE) break
  }
  return conflicts
    .sort((a, b) => b.votes.length - a.votes.length || b.laps.count - a.laps.count)
    .slice(0, limit)
    .map(conflict => ({ ...conflict, votes: conflict.votes.slice(0, MOST_VOTES_SHOWN) }))
}

const MOST_VOTES_SHOWN = 10

const TRACKS_AT_ONCE = 100
const MOST_VOTES = 200

async function findElsewhere(
  db: Kysely<Database>,
  trackId: number,
  location: TrackLocation,
): Promise<LocationConflict['laps']> {
  let count = 0
  let example: string | null = null
  for await (const page of pagesOfDrivers(db, trackId)) {
    for (const lap of await findLapsOnBoard(db, page)) {
      if (lap.location !== null && isSameLocation(lap.location, location)) continue
      count++
      example ??= lap.location === null ? null : lap.id
    }
  }
  return { count, example }
}
