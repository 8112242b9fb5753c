import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { StoreError } from '@lapwing/object-store'
import { until } from '@lapwing/testing/until.ts'
import { createLeaderboardClient } from '../clients/leaderboard-client.ts'
import { SERIES_PREFIX } from '../laps/lap.repository.ts'
import { renewStandings } from '../standings/standing.repository.ts'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { holdPerson } from '../test/moments.ts'
import { recordFile } from '../test/record-file.ts'
import { internalKey } from '../test/serve.ts'
import { publishStandings } from './publish-standings.ts'
import { removeObjects } from './remove-objects.ts'
import { removeOrphans } from './remove-orphans.ts'
import { startSweeper } from './sweeper.ts'

let service: Harness

before(async () => {
  service = await harness()
  const worker = await service.startWorker()
  await service.uploadAndIngest('driver', aFile({ driverId: 1 }))
  await worker.close()
})

after(() => service.close())

const orphanMs = 24 * 3_600_000
const type = { contentType: 'application/x-protobuf' }
const keys = async () => (await service.bucket.store.list(SERIES_PREFIX)).objects.map(({ key }) => key)

test('removes series without a lap once they are older than a day, and nothing else', async () => {
  const { store } = service.bucket
  const kept = await keys()
  assert.equal(kept.length, 2)
  await store.put(`${SERIES_PREFIX}nobodys/hash`, Buffer.from('x'), type)
  await store.put('uploads/nobodys', Buffer.from('x'), type)
  let now = new Date()
  const search = removeOrphans({ db: service.db, store, now: () => now, orphanMs })
  await search()
  assert.equal((await keys()).length, 3)
  // It pauses between two passes.
  now = new Date(Date.now() + 25 * 3_600_000)
  await search()
  assert.deepEqual(await keys(), kept)
  assert.equal((await store.list('uploads/nobodys')).objects.length, 1)
})

test('checks all series page by page', async () => {
  const { store } = service.bucket
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await store.put(`${SERIES_PREFIX}${name}/hash`, Buffer.from('x'), type)
  }
  const paged = {
    ...store,
    list: (prefix: string, options = {}) => store.list(prefix, { ...options, limit: 2 }),
  }
  const now = () => new Date(Date.now() + 48 * 3_600_000)
  const search = removeOrphans({ db: service.db, store: paged, now, orphanMs })
  for (let page = 0; page < 4; page++) await search()
  assert.equal((await keys()).length, 2)
})

test('deletes objects later if the store fails to delete them now', async () => {
  const { store } = service.bucket
  await store.put('laps/old/hash', Buffer.from('x'), type)
  await service.db.insertInto('object_removal').values({ key: 'laps/old/hash' }).execute()
  const failing = { ...store, delete: async () => Promise.reject(new StoreError('unavailable')) }
  await assert.rejects(removeObjects({ db: service.db, store: failing }))
  assert.equal((await service.db.selectFrom('object_removal').selectAll().execute()).length, 1)
  await Promise.all([1, 2, 3].map(() => removeObjects({ db: service.db, store })))
  assert.deepEqual(await service.db.selectFrom('object_removal').selectAll().execute(), [])
  assert.equal((await store.list('laps/old/')).objects.length, 0)
})

test('publishes every standing again on request', async () => {
  const { db, leaderboard } = service
  const drivers = ['again 1', 'again 2', 'again 3']
  for (const userId of drivers) await recordFile(db, userId, { laps: [{}] })
  const needs = {
    db,
    leaderboard: createLeaderboardClient({
      url: leaderboard.url,
      key: new TextEncoder().encode(internalKey),
    }),
    logger: createLogger('test', 'silent'),
  }
  await db
    .updateTable('standing')
    .set({ push_after: new Date(0) })
    .execute()
  await publishStandings(needs)
  const versions = async () => {
    const rows = await db.selectFrom('standing').select(['user_id', 'version', 'confirmed_version']).execute()
    return new Map(rows.map(row => [row.user_id, row]))
  }
  const before = await versions()
  assert.equal(await renewStandings(db, { batch: 2 }), before.size)
  const received = leaderboard.received.length
  await publishStandings(needs)
  const sent = leaderboard.received.slice(received)
  for (const userId of drivers) {
    const version = before.get(userId)!.version + 1
    assert.equal(sent.find(standing => standing.user_id === userId)?.version, version)
    assert.equal((await versions()).get(userId)?.confirmed_version, version)
  }
})

test('delays no other sweep by a long one, and stops it soon when the process stops', async t => {
  const location = { lat: 50, lon: 5, lengthM: 7_000 }
  const drivers = Array.from({ length: 40 }, (_, index) => `slow ${100 + index}`)
  for (const userId of drivers) await recordFile(service.db, userId, { laps: [{ location }] })
  const { track_id } = await service.db
    .selectFrom('combination')
    .select('track_id')
    .where('track_slug', '=', 'ring')
    .executeTakeFirstOrThrow()
  await service.db
    .insertInto('track_place')
    .values({ track_id, ...{ lat: 60, lon: 5, length_m: 7_000 } })
    .execute()
  const held = await holdPerson(service.db, 'slow 100')
  t.after(held.letGo)
  const { db, queue, bucket } = service
  const logger = createLogger('ingest', 'silent')
  const needs = { db, queue, store: bucket.store, leaderboard: { putStanding: never }, logger, orphanMs }
  const nobodyVotes = { identity: null, votes: { voteAgeMs: 0, recheckMs: 60_000 } }
  const sweeper = startSweeper({ ...needs, ...nobodyVotes, now: () => new Date() }, { everyMs: 20 })
  await held.waitedFor()
  await db.insertInto('object_removal').values({ key: 'laps/old/hash' }).execute()
  await until(
    async () => (await db.selectFrom('object_removal').selectAll().execute()).length === 0,
    'another sweep to succeed',
  )
  const closing = sweeper.close()
  await held.letGo()
  await closing
  const { left } = await db
    .selectFrom('lap')
    .select(({ fn }) => fn.countAll<string>().as('left'))
    .where('user_id', 'in', drivers)
    .where('counts', '=', true)
    .executeTakeFirstOrThrow()
  assert.equal(Number(left), drivers.length - 1)
})

const never = () => Promise.reject(new Error('nothing is published'))

test('publishes other standings if leaderboard rejects one', async () => {
  const drivers = [21, 22, 23, 24].map(driverId => ({ driverId, userId: `driver-${driverId}` }))
  const userIds = drivers.map(({ userId }) => userId)
  const worker = await service.startWorker()
  for (const { driverId, userId } of drivers) await service.uploadAndIngest(userId, aFile({ driverId }))
  await worker.close()
  const leaderboard = createLeaderboardClient({
    url: service.leaderboard.url,
    key: new TextEncoder().encode(internalKey),
  })
  await service.db
    .updateTable('standing')
    .set({ push_after: new Date(Date.now() + 3_600_000) })
    .execute()
  // Whatever the order in which they are published.
  for (const refused of userIds) {
    await service.db
      .updateTable('standing')
      .set({ confirmed_version: 0, push_after: new Date(0) })
      .where('user_id', 'in', userIds)
      .execute()
    service.leaderboard.refuses = refused
    await publishStandings({ db: service.db, leaderboard, logger: createLogger('test', 'silent') })
    const open = await service.db
      .selectFrom('standing')
      .select('user_id')
      .where('user_id', 'in', userIds)
      .whereRef('version', '>', 'confirmed_version')
      .execute()
    assert.deepEqual(open, [{ user_id: refused }])
  }
  service.leaderboard.refuses = null
})
