import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { acquireAccountLock } from '@lapwing/db'
import { isStoreError } from '@lapwing/object-store'
import { type LapFingerprint, trackFingerprint } from '@lapwing/telemetry'
import { decodeReference } from '@lapwing/telemetry/compare'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import {
  forgetFingerprint,
  storeFingerprints,
  storeLapConflict,
} from '../fingerprints/fingerprint.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

type Needs = Pick<SweepNeeds, 'db' | 'store' | 'logger'>

/**
 * Makes the fingerprints of older laps from their series. Laps without stored series get none. A copy of
 * another account's lap gets none either, and is stored as a conflict for a moderator.
 *
 * @param stopping aborted when the process has no more time: the next sweep does what is left
 */
export async function fillFingerprints(
  needs: Needs,
  stopping: AbortSignal = new AbortController().signal,
): Promise<void> {
  for (;;) {
    const laps = await findLapsToFill(needs.db)
    for (const lap of laps) {
      if (stopping.aborted) return
      await fill(needs.db, lap, await readFingerprint(needs, lap))
    }
    if (laps.length < LAPS_AT_ONCE) return
  }
}

const LAPS_AT_ONCE = 20

type LapToFill = Awaited<ReturnType<typeof findLapsToFill>>[number]

function findLapsToFill(db: Kysely<Database>) {
  return db
    .selectFrom('lap')
    .select(['id', 'user_id', 'ingest_id', 'series_key'])
    .where('is_fingerprinted', '=', false)
    .where('counts', '=', true)
    .where('series_key', 'is not', null)
    .orderBy('recorded_at')
    .limit(LAPS_AT_ONCE)
    .execute()
}

/** Returns a fingerprint; null if the series cannot be read, or the lap is too even to have one. */
async function readFingerprint(
  { store, logger }: Needs,
  { id, series_key }: LapToFill,
): Promise<LapFingerprint | null> {
  try {
    const packed = await buffer((await store.get(series_key!)).body)
    const bytes = await promisify(gunzip)(packed, { maxOutputLength: MOST_BYTES })
    const { track } = decodeReference(bytes)
    return trackFingerprint(track)
  } catch (error) {
    // The lap was deleted meanwhile. Other faults of the store pass, so the next sweep tries again.
    if (isStoreError(error) && !isStoreError(error, 'not_found')) throw error
    logger.warn({ err: error, lap: id }, 'the series of a lap cannot be read for its fingerprint')
    return null
  }
}

/** Far more than the longest lap needs. */
const MOST_BYTES = 16 * 1024 * 1024

function fill(db: Kysely<Database>, lap: LapToFill, fingerprint: LapFingerprint | null): Promise<void> {
  return db.transaction().execute(async trx => {
    await acquireAccountLock(trx, lap.user_id)
    const { numUpdatedRows } = await trx
      .updateTable('lap')
      .set({ is_fingerprinted: true })
      .where('id', '=', lap.id)
      .where('is_fingerprinted', '=', false)
      .executeTakeFirst()
    // Another process did it, or the account was deleted.
    if (numUpdatedRows === 0n || fingerprint === null) return
    const { others } = await storeFingerprints(trx, lap.user_id, [{ id: lap.id, fingerprint }])
    const original = others.get(lap.id)
    if (original === undefined) return
    await forgetFingerprint(trx, lap.id)
    await storeLapConflict(trx, { ingestId: lap.ingest_id, userId: lap.user_id }, original)
  })
}
