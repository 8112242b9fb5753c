import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { StoreError } from '@lapwing/object-store'
import { until } from '@lapwing/testing/until.ts'
import { sql } from 'kysely'
import { createLeaderboardClient } from '../clients/leaderboard-client.ts'
import { findBound, findDisputedNumbers } from '../drivers/driver.repository.ts'
import { claim } from '../ingests/attempt.repository.ts'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { internalKey } from '../test/serve.ts'
import { createJudgePool, type JudgePool } from './judge-pool.ts'
import { type ProcessNeeds, processIngest } from './process-ingest.ts'

let service: Harness
let pool: JudgePool
let drivers = 200
const removed: string[] = []

before(async () => {
  service = await harness({ waitMs: 0 })
  pool = createJudgePool({
    threads: 1,
    heapMb: 64,
    timeoutMs: 8_000,
    threadModule: new URL('../test/faulty-thread.ts', import.meta.url),
  })
})

after(async () => {
  await pool.close()
  await service.close()
})

afterEach(() => {
  service.leaderboard.mood = 'well'
})

function needs(changes: Partial<ProcessNeeds> = {}): ProcessNeeds {
  return {
    db: service.db,
    store: service.bucket.store,
    pool,
    files: {
      path: service.env.TMPDIR!,
      newPath: () => `${service.env.TMPDIR}/${randomUUID()}`,
      isWritable: async () => true,
      removeFile: async path => {
        removed.push(path)
      },
      remove: async () => {},
      removeNow: () => {},
    },
    limit: work => work(),
    leaderboard: createLeaderboardClient({
      url: service.leaderboard.url,
      key: new TextEncoder().encode(internalKey),
    }),
    queue: { enqueue: async () => {} },
    logger: createLogger('test', 'silent'),
    leaseMs: 60_000,
    ...changes,
  }
}

/** Returns a driver with a new account and a new driver number. */
function aDriver() {
  const driverId = drivers++
  return { driverId, userId: `driver-${driverId}` }
}

/** Creates an ingest for a driver's file; no worker judges it. */
async function ask(
  bytes: Uint8Array | null = null,
  { userId, driverId } = aDriver(),
): Promise<{ userId: string; id: string }> {
  const given = await service.upload.addFile(userId, bytes ?? aFile({ driverId }))
  const { body } = await service.ingest(userId, given)
  return { userId, id: String(body.ingest_id) }
}

const process = (id: string, changes?: Partial<ProcessNeeds>) =>
  processIngest(needs(changes), id, new AbortController().signal)

function rowOf(id: string) {
  return service.db.selectFrom('ingest').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

const statusOf = (userId: string, id: string) =>
  service.call('getIngest', { method: 'GET', url: `/api/laps/ingests/${id}`, as: userId })

/** Makes the next try due. */
async function passTime(id: string): Promise<void> {
  await service.db.updateTable('ingest').set({ not_before: sql`now()` }).where('id', '=', id).execute()
}

for (const [what, bytes, code] of [
  ['text', Buffer.from('this is no telemetry, whatever its name'), 'ingest.unreadable'],
  ['a file cut in its headers', aFile().subarray(0, 2_000), 'ingest.unreadable'],
  ['a file without a track', aFile({ trackId: 0 }), 'ingest.unidentified'],
] as const) {
  test(`fails ${what} at the first try with its reason, and does not try again`, async () => {
    const { userId, id } = await ask(bytes)
    await process(id)
    const { status, body } = await statusOf(userId, id)
    assert.equal(status, 422)
    assert.equal(body.code, code)
    assert.match(String(body.detail), /^This file .*\.$|^This is .*\.$/)
    await process(id)
    assert.equal((await rowOf(id)).attempt, 1)
    assert.deepEqual(
      await service.db.selectFrom('file').select('sha256').where('user_id', '=', userId).execute(),
      [],
    )
  })
}

test('refuses an object that was replaced after it was checked, whatever its size', async () => {
  for (const other of [aFile({ driverId: 998 }), Buffer.from('short')]) {
    const { userId } = aDriver()
    const given = await service.upload.addFile(userId, aFile())
    await service.bucket.store.put(given.key, other, { contentType: 'application/octet-stream' })
    const { body } = await service.ingest(userId, given)
    await process(String(body.ingest_id))
    const answer = await statusOf(userId, String(body.ingest_id))
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'ingest.file_replaced')
  }
})

test('answers that the upload is not found if its object is gone', async () => {
  const { userId } = aDriver()
  const given = await service.upload.addFile(userId, aFile())
  const { body } = await service.ingest(userId, given)
  await service.bucket.store.delete([given.key])
  await process(String(body.ingest_id))
  assert.equal((await statusOf(userId, String(body.ingest_id))).body.code, 'ingest.upload_not_found')
})

for (const fault of ['exit', 'throw', 'loop', 'fill the heap']) {
  test(`tries a file twice at which a thread comes to ${fault}, and judges the next one`, async () => {
    const { userId, id } = await ask(Buffer.from(fault.padEnd(20)))
    await process(id)
    assert.equal((await rowOf(id)).state, 'waiting')
    await passTime(id)
    await process(id)
    const { status, body } = await statusOf(userId, id)
    assert.equal(status, 500)
    assert.equal(body.code, 'ingest.failed')
    const next = await ask()
    await process(next.id)
    assert.equal((await rowOf(next.id)).state, 'done')
  })
}

test('recognizes known bytes, even if the file would be refused now', async () => {
  const bytes = Buffer.from('telemetry of a kind that was readable once')
  const first = await ask(bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  await service.db.insertInto('file').values({ sha256, user_id: first.userId, ingest_id: first.id }).execute()
  await process(first.id)
  assert.deepEqual((await rowOf(first.id)).outcome, { skipped: 'already_ingested' })
  const { id } = await ask(bytes)
  await process(id)
  assert.equal((await rowOf(id)).failure_code, 'upload.belongs_to_another_driver')
})

test('stores no series of a file of another account', async () => {
  const { driverId } = aDriver()
  const bytes = aFile({ driverId })
  await process((await ask(bytes)).id)
  let puts = 0
  const put: ProcessNeeds['store']['put'] = (...args) => {
    puts++
    return service.bucket.store.put(...args)
  }
  const { id } = await ask(bytes)
  await process(id, { store: { download: service.bucket.store.download, put } })
  assert.equal((await rowOf(id)).failure_code, 'upload.belongs_to_another_driver')
  assert.equal(puts, 0)
})

test('tries a store that is down six times with growing pauses; a new call starts again', async () => {
  const away = {
    download: async () => Promise.reject(new StoreError('unavailable')),
    put: service.bucket.store.put,
  }
  const { userId, driverId } = aDriver()
  const given = await service.upload.addFile(userId, aFile({ driverId }))
  const id = String((await service.ingest(userId, given)).body.ingest_id)
  // The shortest and the longest that each pause can have been, in milliseconds.
  const pauses: (readonly [number, number])[] = []
  for (let tries = 1; tries <= 6; tries++) {
    const beforeMs = Date.now()
    await process(id, { store: away })
    const afterMs = Date.now()
    const row = await rowOf(id)
    if (row.state === 'failed') break
    assert.equal(row.tries, tries)
    pauses.push([row.not_before.getTime() - afterMs, row.not_before.getTime() - beforeMs])
    // On a busy machine the first pause can be over already.
    if (tries > 1) {
      await process(id, { store: away })
      assert.equal((await rowOf(id)).tries, tries, 'it was tried too early')
    }
    await passTime(id)
  }
  for (const [index, pauseMs] of [2_000, 4_000, 8_000, 16_000].entries()) {
    const [leastMs, mostMs] = pauses[index + 1]!
    // The database rounds to milliseconds.
    assert.ok(leastMs <= pauseMs + 1 && pauseMs - 1 <= mostMs, `${leastMs} to ${mostMs} ms`)
  }
  assert.equal(pauses.length, 5)
  const { status, body, headers } = await statusOf(userId, id)
  assert.equal(status, 503)
  assert.equal(body.code, 'ingest.store_unavailable')
  assert.ok(headers['retry-after'])

  const again = await Promise.all([service.ingest(userId, given), service.ingest(userId, given)])
  assert.deepEqual(
    again.map(answer => [answer.status, answer.body.ingest_id]),
    [
      [202, id],
      [202, id],
    ],
  )
  await process(id)
  assert.equal((await statusOf(userId, id)).status, 201)
})

test('tries again if the store hangs up in the middle of the series', async () => {
  const { userId, id } = await ask()
  let puts = 0
  const put: ProcessNeeds['store']['put'] = (...args) =>
    ++puts === 2 ? Promise.reject(new StoreError('unavailable')) : service.bucket.store.put(...args)
  await process(id, { store: { download: service.bucket.store.download, put } })
  assert.equal((await rowOf(id)).state, 'waiting')
  await passTime(id)
  await process(id)
  assert.equal((await statusOf(userId, id)).status, 201)
})

test('tries again after a full disk, and removes the partial file', async () => {
  const { userId, id } = await ask()
  const full = { ...needs().files, newPath: () => '/dev/full' }
  await process(id, { files: full })
  const row = await rowOf(id)
  assert.equal(row.state, 'waiting')
  assert.equal(row.failure_code, null)
  assert.ok(removed.includes('/dev/full'))
  await passTime(id)
  await process(id)
  assert.equal((await statusOf(userId, id)).status, 201)
})

test('fails a file after six workers died on it', async () => {
  const { userId, id } = await ask(aFile())
  for (let tries = 0; tries < 6; tries++) {
    assert.notEqual(await claim(service.db, id, { leaseMs: 60_000 }), null)
    assert.equal(await claim(service.db, id, { leaseMs: 60_000 }), null)
    await service.db
      .updateTable('ingest')
      .set({ leased_until: sql`now() - interval '1 second'` })
      .where('id', '=', id)
      .execute()
  }
  await process(id)
  assert.equal((await statusOf(userId, id)).body.code, 'ingest.failed')
})

test('publishes the standing from the sweeper once leaderboard is up again', async () => {
  service.leaderboard.mood = 'failing'
  const { userId, id } = await ask()
  await process(id)
  assert.equal((await rowOf(id)).state, 'recorded')
  const { status, body } = await statusOf(userId, id)
  assert.equal(status, 202)
  assert.equal(body.state, 'running')
  service.leaderboard.mood = 'well'
  const worker = await service.startWorker()
  await until(async () => (await statusOf(userId, id)).status === 201, 'the standing to be confirmed')
  await worker.close()
})

test('stores nothing for an account that is deleted while its file is judged', async () => {
  const { userId, id } = await ask()
  const put: ProcessNeeds['store']['put'] = async (...args) => {
    await service.forget(userId)
    return service.bucket.store.put(...args)
  }
  await process(id, { store: { download: service.bucket.store.download, put } })
  for (const table of ['ingest', 'lap', 'file', 'sim_driver', 'standing'] as const) {
    assert.deepEqual(
      await service.db.selectFrom(table).select('user_id').where('user_id', '=', userId).execute(),
      [],
      table,
    )
  }
  const answer = await service.ingest(userId, await service.upload.addFile(userId, aFile()))
  assert.equal(answer.status, 401)
})

test('records nothing from the older of two attempts, whichever ends first', async () => {
  for (const order of ['older first', 'younger first']) {
    const { id, userId } = await ask()
    const older = Promise.withResolvers<void>()
    const atSeries = Promise.withResolvers<void>()
    const put: ProcessNeeds['store']['put'] = async (...args) => {
      atSeries.resolve()
      await older.promise
      return service.bucket.store.put(...args)
    }
    const first = process(id, { store: { download: service.bucket.store.download, put } })
    await atSeries.promise
    await service.db
      .updateTable('ingest')
      .set({ leased_until: sql`now() - interval '1 second'` })
      .where('id', '=', id)
      .execute()
    if (order === 'older first') {
      // Taken over by an attempt that has not done anything yet.
      assert.notEqual(await claim(service.db, id, { leaseMs: 60_000 }), null)
      older.resolve()
      await first
      assert.deepEqual(
        await service.db.selectFrom('lap').select('id').where('user_id', '=', userId).execute(),
        [],
      )
      assert.equal((await rowOf(id)).state, 'running')
    } else {
      await process(id)
      const row = await rowOf(id)
      older.resolve()
      await first
      assert.deepEqual(await rowOf(id), row)
      assert.equal(row.state, 'done')
    }
  }
})

test('assigns a file of two accounts to one, and binds a number of six to one, if all are judged together', async () => {
  const file = aFile({ driverId: null })
  const [ann, ben] = [await ask(file), await ask(file)]
  await Promise.all([process(ann.id), process(ben.id)])
  const states = (await Promise.all([rowOf(ann.id), rowOf(ben.id)])).map(row => row.failure_code ?? row.state)
  assert.deepEqual(states.sort(), ['done', 'upload.belongs_to_another_driver'])

  const { driverId } = aDriver()
  const asked = await Promise.all(Array.from({ length: 6 }, () => ask(aFile({ driverId }))))
  await Promise.all(asked.map(({ id }) => process(id)))
  const rows = await Promise.all(asked.map(({ id }) => rowOf(id)))
  assert.deepEqual(
    rows.map(row => row.failure_code ?? row.state),
    Array(6).fill('done'),
  )
  const simUserId = String(driverId)
  assert.notEqual(await findBound(service.db, { sim: 'iracing', simUserId }), null)
  const [disputed] = (await findDisputedNumbers(service.db, 50)).filter(one => one.simUserId === simUserId)
  assert.equal(disputed?.claims.length, 6)
  assert.equal(disputed?.claims.filter(({ isBound }) => isBound).length, 1)
})

test('publishes the best lap of ten files of one driver that are judged together', async () => {
  const driver = aDriver()
  const { driverId } = driver
  const times = [25, 23, 21.5, 29, 22, 21.25, 24, 28, 27, 26]
  const asked = []
  for (const timeS of times) {
    asked.push(await ask(aFile({ driverId, lapTimesS: [timeS], trackName: `Ring of ${driverId}` }), driver))
  }
  await Promise.all(asked.map(({ id }) => process(id)))
  for (const { id } of asked) assert.equal((await rowOf(id)).state, 'done')
  assert.deepEqual(
    service.leaderboard.entries(`ring-of-${driverId}`, 'complete').map(entry => entry.time_ms),
    [21_250],
  )
})
