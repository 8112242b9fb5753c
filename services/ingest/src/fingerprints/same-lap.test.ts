import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { bytesSource, type LapFingerprint } from '@lapwing/telemetry'
import { sql } from 'kysely'
import { judgeFile } from '../judging/judge-file.ts'
import { decideLap } from '../moderation/review-laps.ts'
import { aDrivenFile, type DrivenFileOptions } from '../test/a-driven-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { runModerate } from '../test/run-moderate.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

const bring = (as: string, options: DrivenFileOptions) => service.uploadAndIngest(as, aDrivenFile(options))
/** The same laps with another driver and another start, so that hardly a byte of the header is the same. */
const changed = { driverId: 999, startedAt: new Date('2026-05-05T05:05:05Z') }

const keptOf = async (userId: string) => {
  const laps = await service.db
    .selectFrom('lap')
    .select(['time_ms', 'series_key'])
    .where('user_id', '=', userId)
    .where('is_completed', '=', true)
    .execute()
  return laps.map(lap => lap.time_ms)
}

async function fingerprintOf(seed: number): Promise<LapFingerprint> {
  const sha256 = createHash('sha256').update('any').digest()
  const { laps } = await judgeFile(bytesSource(aDrivenFile({ seeds: [seed] })), { sha256, userId: 'any' })
  return laps.find(lap => lap.counts)!.fingerprint!
}

test('refuses a lap of another account whatever else of the file is changed, and stores nothing of the file', async () => {
  const first = await bring('owner', { seeds: [11], driverId: 11, trackName: 'Copied Ring' })
  assert.equal(first.status, 201)
  const { status, body } = await bring('thief', { seeds: [11, 12], ...changed, trackName: 'Another Ring' })
  assert.deepEqual([status, body.code], [409, 'upload.duplicate_lap'])
  assert.equal(
    body.detail,
    'Another account has saved a lap of this file already, so the file was not saved. A moderator will look at it.',
  )
  // The id of the request is random.
  assert.doesNotMatch(JSON.stringify({ ...body, request_id: null }), /owner|11\b/)
  assert.deepEqual(await keptOf('thief'), [])
  const { objects } = await service.bucket.store.list('laps/', {})
  assert.equal(objects.length, 1)
  const { rows } = await sql`select from lap_conflict where user_id = 'thief' and owner_user_id = 'owner'
    and owner_lap_id = ${String(first.body.lap_id)}`.execute(service.db)
  assert.equal(rows.length, 1)
  const { out } = await runModerate(service, 'conflicts')
  assert.match(out, new RegExp(`^\\S+ lap ${first.body.lap_id} of owner, brought by thief: ingest `, 'm'))
  // The refused file did not bind its driver number.
  assert.equal((await bring('later', { seeds: [13], driverId: 999 })).status, 201)
})

test('adds no copy of an own lap, but the other laps of the file', async () => {
  assert.equal((await bring('self', { seeds: [21], driverId: 21 })).status, 201)
  const copy = await bring('self', { seeds: [21], driverId: 21, startedAt: changed.startedAt })
  assert.deepEqual([copy.status, copy.body.skipped], [200, 'already_ingested'])
  assert.equal((await keptOf('self')).length, 1)
  await bring('self', { seeds: [21, 28], driverId: 21, startedAt: changed.startedAt })
  assert.equal((await keptOf('self')).length, 2)
})

test('restores no refused or deleted lap from a changed file', async () => {
  const first = await bring('refused', { seeds: [31], driverId: 31 })
  const lapId = String(first.body.lap_id)
  await decideLap(service.db, lapId, { decision: 'refused', by: 'ann', why: 'forged' })
  const refused = await bring('refused', { seeds: [31], driverId: 31, startedAt: changed.startedAt })
  assert.equal(refused.body.skipped, 'already_ingested')
  const other = await bring('refused-2', { seeds: [31], ...changed, driverId: 32 })
  assert.equal(other.body.code, 'upload.duplicate_lap')

  const second = await bring('deleter', { seeds: [33], driverId: 33 })
  const url = `/api/laps/${second.body.lap_id}`
  assert.equal((await service.call('deleteLap', { method: 'DELETE', url, as: 'deleter' })).status, 204)
  const again = await bring('deleter', { seeds: [33], driverId: 33, startedAt: changed.startedAt })
  assert.equal(again.body.skipped, 'already_ingested')
})

test('holds a held lap in a changed file of its driver', async () => {
  const fingerprint = await fingerprintOf(41)
  const { ids } = await recordFile(service.db, 'holder', {
    laps: [{ timeMs: 70_000, findings: ['splice'], fingerprint }],
  })
  const { ingest } = await recordFile(service.db, 'holder', { laps: [{ timeMs: 70_001, fingerprint }] })
  assert.deepEqual(ingest.outcome, { skipped: 'held_for_review', held_lap_id: ids[0] })
})

test('frees the laps of a deleted account', async () => {
  assert.equal((await bring('gone', { seeds: [51], driverId: 51 })).status, 201)
  await service.forget('gone')
  const { rows } = await sql`select from lap_fingerprint_key left join lap_fingerprint on id = fingerprint_id
    left join lap on lap.id = lap_id where lap.id is null`.execute(service.db)
  assert.equal(rows.length, 0)
  assert.equal((await bring('next', { seeds: [51], driverId: 52 })).status, 201)
})

test('accepts the true driver’s file after a moderator released the lap or the file', async () => {
  const stolen = aDrivenFile({ seeds: [61], driverId: 61 })
  const { body } = await service.uploadAndIngest('first-thief', stolen)
  const mine = { seeds: [61], driverId: 62, startedAt: changed.startedAt }
  assert.equal((await bring('true-driver', mine)).body.code, 'upload.duplicate_lap')
  const release = (...args: string[]) => runModerate(service, ...args)
  assert.deepEqual(await release('release-fingerprint', String(body.lap_id)), { code: 0, out: 'released\n' })
  assert.deepEqual(await release('release-fingerprint', String(body.lap_id)), {
    code: 1,
    out: 'there is nothing to release\n',
  })
  assert.equal((await bring('true-driver', { ...mine, driverId: 63 })).status, 201)
  // The account that had it cannot bring it again.
  const again = await bring('first-thief', { ...mine, driverId: 64, startedAt: new Date('2026-06-06') })
  assert.equal(again.body.code, 'upload.duplicate_lap')

  const file = aDrivenFile({ seeds: [65], driverId: 65 })
  assert.equal((await service.uploadAndIngest('second-thief', file)).status, 201)
  await release('release-file', createHash('sha256').update(file).digest('hex'))
  await release('release-driver', 'iracing', '65')
  assert.equal((await service.uploadAndIngest('robbed', file)).status, 201)
})

test('accepts a lap from exactly one of two accounts that bring it at the same time', async () => {
  for (let round = 0; round < 8; round++) {
    const fingerprint = await fingerprintOf(70 + round)
    const record = (userId: string) =>
      recordFile(service.db, `${userId}-${round}`, {
        combination: { ...aCombination, track_slug: `race-${round}`, sim_track_id: 1_000 + round },
        laps: [{ fingerprint }],
      })
    const both = await Promise.all([record('left'), record('right')])
    assert.deepEqual(both.map(({ ingest }) => ingest.failure_code ?? ingest.state).sort(), [
      'recorded',
      'upload.duplicate_lap',
    ])
    const { rows } = await sql`select from lap_fingerprint join lap on lap.id = lap_id
      where user_id in (${`left-${round}`}, ${`right-${round}`})`.execute(service.db)
    assert.equal(rows.length, 1)
  }
})
