import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { findTrackToRefine, lockCorners, takeEvidence, writeCorners } from './corner.repository.ts'
import { decideCorners } from './decide-corners.ts'

/** Tracks of one search; the next search takes the rest. */
const MOST_TRACKS = 500

/**
 * Refines the corners of tracks of which drivers have shown something new. Any number of processes may do so at
 * once: of two that look at one track, one does nothing.
 */
export async function refineTracks({
  db,
  logger,
}: {
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'info'>
}): Promise<void> {
  let before: number | null = null
  for (let tracks = 0; tracks < MOST_TRACKS; tracks++) {
    const trackId = await findTrackToRefine(db)
    // One that is still there is being written by another process.
    if (trackId === null || trackId === before) return
    before = trackId
    const corners = await refine(db, trackId)
    if (corners?.isChanged)
      logger.info({ track: trackId, corners: corners.count }, 'the corners of a track changed')
  }
}

/** Null if another process does it. */
function refine(
  db: Kysely<Database>,
  trackId: number,
): Promise<{ readonly count: number; readonly isChanged: boolean } | null> {
  return db.transaction().execute(async trx => {
    const stored = await lockCorners(trx, trackId)
    if (stored === null) return null
    const evidence = await takeEvidence(trx, trackId, stored.founderLapId)
    const decided = decideCorners(stored, evidence)
    const isChanged = decided !== stored
    if (isChanged) await writeCorners(trx, trackId, decided)
    return { count: decided.corners.length, isChanged }
  })
}
