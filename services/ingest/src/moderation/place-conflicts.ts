import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { TrackName } from '../tracks/combination.repository.ts'
import {
  findBoardsOf,
  findDriversOn,
  findLapsOnBoard,
  findPlacedTracks,
  findVotes,
} from '../tracks/place.repository.ts'
import { isSamePlace, type Place } from '../tracks/place.ts'

/** What disagrees with the place of a track. Only a moderator may change the place, or hide laps for it (D-27). */
export interface PlaceConflict {
  readonly track: TrackName
  readonly place: Place
  /** Laps on its boards that were driven elsewhere, or do not say where. */
  readonly laps: { readonly count: number; readonly example: string | null }
  /** Votes for other places, at most ten. */
  readonly votes: readonly Place[]
}

/** Looks at all tracks that have a place, a page of drivers at a time. Returns at most `limit` conflicts. */
export async function findPlaceConflicts(
  db: Kysely<Database>,
  limit: number,
): Promise<readonly PlaceConflict[]> {
  const conflicts: PlaceConflict[] = []
  let after = 0
  for (;;) {
    const tracks = await findPlacedTracks(db, { after, limit: tracksAtOnce })
    for (const { trackId, track, place } of tracks) {
      const laps = await findElsewhere(db, trackId, place)
      const votes = (await findVotes(db, trackId, mostVotes)).filter(vote => !isSamePlace(vote, place))
      if (laps.count > 0 || votes.length > 0)
        conflicts.push({ track, place, laps, votes: votes.slice(0, 10) })
      if (conflicts.length === limit) return conflicts
      after = trackId
    }
    if (tracks.length < tracksAtOnce) return conflicts
  }
}

const tracksAtOnce = 100
const mostVotes = 200
const driversAtOnce = 500

async function findElsewhere(
  db: Kysely<Database>,
  trackId: number,
  place: Place,
): Promise<PlaceConflict['laps']> {
  let count = 0
  let example: string | null = null
  for (const boardId of await findBoardsOf(db, trackId)) {
    let userIds: readonly string[] = []
    do {
      userIds = await findDriversOn(db, boardId, { after: userIds.at(-1) ?? '', limit: driversAtOnce })
      for (const lap of await findLapsOnBoard(db, { userIds, boardId })) {
        if (lap.place !== null && isSamePlace(lap.place, place)) continue
        count++
        example ??= lap.place === null ? null : lap.id
      }
    } while (userIds.length === driversAtOnce)
  }
  return { count, example }
}
