import { acquireAccountLock } from '@lapwing/db'
import type { Kysely } from 'kysely'
import { recountSightingsAt } from '../corners/corner.repository.ts'
import type { Database } from '../database.ts'
import { refreshStanding, type StandingKey } from '../standings/standing.repository.ts'
import {
  endApplying,
  findLocatedLaps,
  findNewlyLocated,
  findTrackLocation,
  findVotes,
  type LocatedLap,
  type LocatedTrack,
  lockVotedTrack,
  markElsewhere,
  pagesOfDrivers,
  storeAgreedLocation,
  unmarkElsewhere,
} from '../tracks/track-location.repository.ts'
import { agreedLocation, isSameLocation, type TrackLocation } from '../tracks/track-location.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Counts the votes on track locations, and applies a location that a moderator has set. Laps that were driven
 * elsewhere leave the boards of the track, and laps that were driven there come back. Votes hide no lap that
 * was recorded before (D-27). Any number of processes can run it at the same time.
 *
 * @param stopping aborted when the process has no more time: the next sweep does what is left
 */
export async function locateTracks(
  { db, logger }: Pick<SweepNeeds, 'db' | 'logger'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<void> {
  while (!stopping.aborted) {
    const counted = await countNewVotes(db)
    if (counted === null) break
    if (counted.isAgreed)
      logger.info({ track: counted.trackId }, 'the drivers of a track have agreed on its location')
  }
  for (const track of await findNewlyLocated(db)) {
    const isDone = await applyLocation({ db, logger }, track, stopping)
    if (isDone && track.isSettled) await endApplying(db, track)
  }
}

/** Counts the votes of one track with a new vote, or one that has become valid. Null if there is none. */
function countNewVotes(
  db: Kysely<Database>,
): Promise<{ readonly trackId: number; readonly isAgreed: boolean } | null> {
  return db.transaction().execute(async trx => {
    const trackId = await lockVotedTrack(trx)
    if (trackId === null) return null
    const known = await findTrackLocation(trx, trackId)
    const location = known ?? agreedLocation(await findVotes(trx, trackId, MOST_VOTES))
    if (location !== null) await storeAgreedLocation(trx, trackId, location)
    const isAgreed = known === null && location !== null
    if (isAgreed) await recountSightingsAt(trx, trackId)
    return { trackId, isAgreed }
  })
}

/** Bounds the work: each vote is compared with each other one. */
const MOST_VOTES = 200

/**
 * Checks all drivers with laps on the track. Locks only those with laps that are marked wrongly. If the laps
 * of one cannot be changed, it goes on with the others. Returns false if the next sweep has work left.
 */
async function applyLocation(
  { db, logger }: Pick<SweepNeeds, 'db' | 'logger'>,
  { trackId, location }: LocatedTrack,
  stopping: AbortSignal,
): Promise<boolean> {
  let failed = 0
  for await (const { userIds, combinationId } of pagesOfDrivers(db, trackId)) {
    const wrong = wrongOf(await findLocatedLaps(db, { userIds, combinationId }), location)
    for (const userId of new Set(wrong.map(lap => lap.userId))) {
      if (stopping.aborted) return false
      await correct(db, { userId, combinationId }, trackId).catch((error: unknown) => {
        failed++
        logger.warn(
          { err: error, track: trackId },
          'the laps of a driver could not be checked against the track location',
        )
      })
    }
    if (stopping.aborted) return false
  }
  return failed === 0 && !stopping.aborted
}

/** Returns the laps that are marked wrongly. A lap without a location counts as driven elsewhere. */
function wrongOf(laps: readonly LocatedLap[], location: TrackLocation): readonly LocatedLap[] {
  return laps.filter(
    lap => lap.isElsewhere === (lap.location !== null && isSameLocation(lap.location, location)),
  )
}

function correct(db: Kysely<Database>, key: StandingKey, trackId: number): Promise<void> {
  return db.transaction().execute(async trx => {
    await acquireAccountLock(trx, key.userId)
    // The location may have changed since the sweep began.
    const location = await findTrackLocation(trx, trackId)
    if (location === null) return
    const laps = await findLocatedLaps(trx, { userIds: [key.userId], combinationId: key.combinationId })
    const wrong = wrongOf(laps, location)
    if (wrong.length === 0) return
    for (let from = 0; from < wrong.length; from += LAPS_A_STATEMENT) {
      const some = wrong.slice(from, from + LAPS_A_STATEMENT)
      const ids = (isElsewhere: boolean) =>
        some.filter(lap => lap.isElsewhere === isElsewhere).map(lap => lap.id)
      await markElsewhere(trx, ids(false))
      await unmarkElsewhere(trx, ids(true))
    }
    await refreshStanding(trx, key)
  })
}

/** Bounds the time of a statement, however many laps one driver has. */
const LAPS_A_STATEMENT = 5_000
