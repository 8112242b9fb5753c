import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { StoreError } from '@lapwing/object-store'
import { inputKeys } from '@lapwing/telemetry'
import { sql } from 'kysely'
import { aDrivenFile, type DrivenFileOptions } from '../test/a-driven-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { recordFile } from '../test/record-file.ts'
import { addInputKeys } from './add-input-keys.ts'
import { fillFingerprints } from './fill-fingerprints.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const needs = () => ({
  db: service.db,
  store: service.bucket.store,
  logger: createLogger('ingest', 'silent'),
})

/** Brings a file with a worker that ends afterwards, so that its sweeper does not do the test's work. */
async function bring(as: string, options: DrivenFileOptions) {
  const worker = await service.startWorker()
  try {
    return await service.uploadAndIngest(as, aDrivenFile(options))
  } finally {
    await worker.close()
  }
}

const forgetFingerprints = (userId: string) =>
  sql`delete from lap_fingerprint using lap where lap.id = lap_id and user_id = ${userId}`.execute(service.db)

/** Makes all laps look like those of an earlier version. */
const makeOld = () => sql`update lap set is_fingerprinted = false`.execute(service.db)

async function isLeft(): Promise<boolean> {
  const { rows } =
    await sql`select from lap where not is_fingerprinted and counts and series_key is not null`.execute(
      service.db,
    )
  return rows.length > 0
}

test('makes fingerprints of older laps from their series, and stores copies as conflicts', async () => {
  const first = await bring('old', { seeds: [81], driverId: 81 })
  await forgetFingerprints('old')
  const copy = { seeds: [81], driverId: 82, startedAt: new Date('2026-05-05') }
  assert.equal((await bring('old-copy', copy)).status, 201)
  await forgetFingerprints('old-copy')
  await makeOld()
  await fillFingerprints(needs())
  assert.equal(await isLeft(), false)
  const { rows } = await sql`select user_id, owner_user_id, owner_lap_id from lap_conflict`.execute(
    service.db,
  )
  assert.deepEqual(rows, [{ user_id: 'old-copy', owner_user_id: 'old', owner_lap_id: first.body.lap_id }])
  const third = await bring('old-thief', { seeds: [81], driverId: 83, startedAt: new Date('2026-06-06') })
  assert.equal(third.body.code, 'upload.duplicate_lap')
})

test('leaves laps for the next sweep while the store is down, but not a lap without its object', async () => {
  const { ids } = await recordFile(service.db, 'without-series', { laps: [{}] })
  await makeOld()
  await sql`update lap set series_key = ${`laps/${randomUUID()}/none`}, series_hash = 'none'
    where id = ${ids[0]}`.execute(service.db)
  const away = () => Promise.reject(new StoreError('unavailable', 'away'))
  await assert.rejects(fillFingerprints({ ...needs(), store: { ...needs().store, get: away } }), StoreError)
  assert.equal(await isLeft(), true)
  await fillFingerprints(needs())
  assert.equal(await isLeft(), false)
})

test('adds the keys of inputs to older fingerprints, and restores no released one', async () => {
  await bring('older', { seeds: [85], driverId: 85 })
  const { body } = await bring('released', { seeds: [86], driverId: 86 })
  await forgetFingerprints('released')
  const keys = async () => {
    const { rows } = await sql<{ key: string }>`select key from lap_fingerprint_key
      join lap_fingerprint on id = fingerprint_id join lap on lap.id = lap_id
      where user_id = 'older' order by key`.execute(service.db)
    return rows.map(row => row.key)
  }
  const all = await keys()
  const { descriptor } = await service.db
    .selectFrom('lap_fingerprint')
    .innerJoin('lap', 'lap.id', 'lap_id')
    .select('descriptor')
    .where('user_id', '=', 'older')
    .executeTakeFirstOrThrow()
  const ofInputs = inputKeys(descriptor)
  assert.ok(ofInputs.length > 0)
  await sql`delete from lap_fingerprint_key where key = any(${ofInputs})`.execute(service.db)
  await sql`update lap_fingerprint set has_input_keys = false`.execute(service.db)
  assert.equal((await keys()).length, all.length - ofInputs.length)
  await addInputKeys(needs())
  assert.deepEqual(await keys(), all)
  const restored = await service.db
    .selectFrom('lap_fingerprint')
    .select('id')
    .where('lap_id', '=', String(body.lap_id))
    .execute()
  assert.deepEqual(restored, [])
})
