import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { findOrMakeOwnTrack, type TrackName } from '../tracks/combination.repository.ts'
import { findTrackOfLap, setPlace } from '../tracks/place.repository.ts'
import type { Place } from '../tracks/place.ts'

/**
 * Says that the track of a lap is where that lap was driven, whatever drivers have agreed on. The sweeper takes
 * laps of another place off its boards and brings those of this one back. False where there is no such lap.
 */
export async function placeTrackOf(db: Kysely<Database>, lapId: string): Promise<boolean> {
  const found = await findTrackOfLap(db, lapId)
  if (found === null || found.place === null) return false
  const { trackId, place } = found
  await db.transaction().execute(trx => setPlace(trx, trackId, place))
  return true
}

/**
 * Says where a track is of which no lap was driven there: where forged files came first, others are refused.
 * It has the name of its own from then on, also where drivers have claimed it for another. False where nobody
 * knows the name.
 */
export function placeTrackAt(db: Kysely<Database>, name: TrackName, place: Place): Promise<boolean> {
  return db.transaction().execute(async trx => {
    const trackId = await findOrMakeOwnTrack(trx, name)
    if (trackId !== null) await setPlace(trx, trackId, place)
    return trackId !== null
  })
}
