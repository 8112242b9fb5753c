import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { findTrackToRefine, lockCorners, readEvidence, writeCorners } from './corner.repository.ts'
import { decideCorners } from './decide-corners.ts'

/**
 * Refines the corners of tracks with new sightings. Any number of processes can run it at the same time: if
 * two look at one track, one does nothing. A track that fails does not block the others.
 *
 * @param stopping aborted when the process has no more time: the next sweep does what is left
 */
export async function refineTracks(
  { db, logger }: { readonly db: Kysely<Database>; readonly logger: Pick<Logger, 'info' | 'warn'> },
  stopping: AbortSignal = new AbortController().signal,
): Promise<void> {
  let trackId = await findTrackToRefine(db, 0)
  while (trackId !== null && !stopping.aborted) {
    try {
      const corners = await refine(db, trackId)
      if (corners?.isChanged) {
        logger.info({ track: trackId, corners: corners.count }, 'the corners of a track changed')
      }
    } catch (error) {
      logger.warn({ err: error, track: trackId }, 'the corners of a track could not be refined')
    }
    trackId = await findTrackToRefine(db, trackId)
  }
}

/** Refines one track. Null if another process refines it. */
function refine(
  db: Kysely<Database>,
  trackId: number,
): Promise<{ readonly count: number; readonly isChanged: boolean } | null> {
  return db.transaction().execute(async trx => {
    const stored = await lockCorners(trx, trackId)
    if (stored === null) return null
    const evidence = await readEvidence(trx, trackId, stored.founderLapId)
    const decided = decideCorners(stored, evidence)
    const isChanged = decided !== stored
    if (isChanged) await writeCorners(trx, trackId, decided)
    return { count: decided.corners.length, isChanged }
  })
}
