import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { lockPerson } from '../people/lock-person.ts'
import { refreshStanding, type StandingKey } from '../standings/standing.repository.ts'
import {
  endApplying,
  findDriversOf,
  findNewlyPlaced,
  findPlacedLaps,
  findWitnessedTracks,
  findWitnesses,
  markElsewhere,
  placeTrack,
  unmarkElsewhere,
} from '../tracks/place.repository.ts'
import { agreedPlace, isSamePlace, type Place } from '../tracks/place.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Finds out where tracks are, and takes laps that were driven elsewhere off their boards, or brings those back
 * of whom a moderator said so. Any number of processes may do so at once.
 */
export async function placeTracks({ db, logger }: Pick<SweepNeeds, 'db' | 'logger'>): Promise<void> {
  for (const trackId of await findWitnessedTracks(db)) {
    const place = agreedPlace(await findWitnesses(db, trackId, mostWitnesses))
    if (place === null) continue
    await placeTrack(db, trackId, place)
    logger.info({ track: trackId }, 'the drivers of a track agree where it is')
  }
  for (const track of await findNewlyPlaced(db)) {
    for (const key of await findDriversOf(db, track.trackId)) await applyPlace(db, key, track.place)
    await endApplying(db, track)
  }
}

/** Comparing each with each is work for a moment. */
const mostWitnesses = 200

function applyPlace(db: Kysely<Database>, key: StandingKey, place: Place): Promise<void> {
  return db.transaction().execute(async trx => {
    await lockPerson(trx, key.userId)
    const wrong = (await findPlacedLaps(trx, key)).filter(
      lap => lap.isElsewhere === isSamePlace(lap.place, place),
    )
    if (wrong.length === 0) return
    const ids = (isElsewhere: boolean) =>
      wrong.filter(lap => lap.isElsewhere === isElsewhere).map(lap => lap.id)
    await markElsewhere(trx, ids(false))
    await unmarkElsewhere(trx, ids(true))
    await refreshStanding(trx, key)
  })
}
