import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { findPlaceOfLap, placeTrack } from '../tracks/place.repository.ts'

/**
 * Says that the track of a lap is where that lap was driven, whatever drivers have agreed on. The sweeper takes
 * laps of another place off its boards and brings those of this one back. False where there is no such lap.
 */
export async function placeTrackOf(db: Kysely<Database>, lapId: string): Promise<boolean> {
  const found = await findPlaceOfLap(db, lapId)
  if (found === null) return false
  await placeTrack(db, found.trackId, found.place)
  return true
}
