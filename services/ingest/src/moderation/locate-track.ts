import type { Kysely, Transaction } from 'kysely'
import { recountSightingsAt } from '../corners/corner.repository.ts'
import type { Database } from '../database.ts'
import { findOrCreateOwnTrack, type TrackName } from '../tracks/combination.repository.ts'
import { findTrackOfLap, setTrackLocation } from '../tracks/track-location.repository.ts'
import type { TrackLocation } from '../tracks/track-location.ts'

/**
 * Sets the location of a track to where a lap was driven, whatever drivers have agreed on. The sweeper takes
 * laps of other locations off the boards, and brings back those of this one. False if there is no such lap
 * with a location.
 */
export async function locateTrackOfLap(db: Kysely<Database>, lapId: string): Promise<boolean> {
  const found = await findTrackOfLap(db, lapId)
  if (found === null || found.location === null) return false
  const { trackId, location } = found
  await db.transaction().execute(trx => locate(trx, trackId, location))
  return true
}

/**
 * Sets the location of a track in numbers, for a track on which forged files keep all true laps out. From
 * then on the track owns its name, even if drivers have claimed the name for another track. False if no file
 * had the name.
 */
export function locateTrackAt(
  db: Kysely<Database>,
  name: TrackName,
  location: TrackLocation,
): Promise<boolean> {
  return db.transaction().execute(async trx => {
    const trackId = await findOrCreateOwnTrack(trx, name)
    if (trackId !== null) await locate(trx, trackId, location)
    return trackId !== null
  })
}

async function locate(trx: Transaction<Database>, trackId: number, location: TrackLocation): Promise<void> {
  await setTrackLocation(trx, trackId, location)
  await recountSightingsAt(trx, trackId)
}
