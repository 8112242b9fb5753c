import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { findOrMakeOwnTrack, type TrackName } from '../tracks/combination.repository.ts'
import { findTrackOfLap, setTrackLocation } from '../tracks/track-location.repository.ts'
import type { TrackLocation } from '../tracks/track-location.ts'

/**
 * Says that the track of a lap is where that lap was driven, whatever drivers have agreed on. The sweeper takes
 * laps of another place off its boards and brings those of this one back. False where there is no such lap.
 */
export async function locateTrackOfLap(db: Kysely<Database>, lapId: string): Promise<boolean> {
  const found = await findTrackOfLap(db, lapId)
  if (found === null || found.location === null) return false
  const { trackId, location } = found
  await db.transaction().execute(trx => setTrackLocation(trx, trackId, location))
  return true
}

/**
 * Says where a track is of which no lap was driven there: where forged files came first, others are refused.
 * It has the name of its own from then on, also where drivers have claimed it for another. False where nobody
 * knows the name.
 */
export function locateTrackAt(
  db: Kysely<Database>,
  name: TrackName,
  location: TrackLocation,
): Promise<boolean> {
  return db.transaction().execute(async trx => {
    const trackId = await findOrMakeOwnTrack(trx, name)
    if (trackId !== null) await setTrackLocation(trx, trackId, location)
    return trackId !== null
  })
}
