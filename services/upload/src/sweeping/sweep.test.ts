import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { newId } from '@lapwing/db'
import { isStoreError, type ObjectStore } from '@lapwing/object-store'
import { type Announced, type Harness, harness, sampleFile } from '../test/harness.ts'
import { postForm } from '../test/post-form.ts'
import { startSweeper } from './start-sweeper.ts'
import { type Swept, sweep } from './sweep.ts'

let service: Harness
let started: Date

before(async () => {
  service = await harness()
  started = service.clock.now
})

after(() => service.close())

afterEach(async () => {
  service.clock.now = started
  await service.db.deleteFrom('upload_session').execute()
})

const minutes = 60_000
const days = 24 * 60 * minutes
const nothing: Swept = { abandoned: 0, outdated: 0, objects: 0, orphans: 0 }

/** A sweep at that time after the start of the test. */
function sweepAt(ms: number, store: ObjectStore = service.store): Promise<Swept> {
  const at = new Date(started.getTime() + ms)
  return sweep({ db: service.db, store, now: () => at, keepDays: 30 })
}

async function posted(): Promise<Announced> {
  const announced = await service.announce('user-a', sampleFile)
  assert.equal(await postForm(announced, sampleFile), 204)
  return announced
}

async function isThere(key: string): Promise<boolean> {
  return service.store.head(key).then(
    () => true,
    error => {
      if (isStoreError(error, 'not_found')) return false
      throw error
    },
  )
}

test('what was never completed goes half an hour after its form ended, posted or not', async () => {
  const sent = await posted()
  const open = await service.announce('user-a', sampleFile)
  assert.deepEqual(await sweepAt(40 * minutes), nothing)
  assert.equal(await isThere(sent.key), true)
  assert.deepEqual(await sweepAt(40 * minutes + 1), { ...nothing, abandoned: 2, objects: 2 })
  assert.equal(await isThere(sent.key), false)
  for (const { sessionId } of [sent, open])
    assert.equal((await service.readSession(sessionId))?.state, 'removed')
  assert.deepEqual(await sweepAt(50 * minutes), nothing)
})

test('what was completed is kept for its thirty days, then the file goes and the row says so', async () => {
  const kept = await posted()
  await service.complete('user-a', kept)
  assert.deepEqual(await sweepAt(30 * days), nothing)
  assert.equal(await isThere(kept.key), true)
  assert.deepEqual(await sweepAt(30 * days + 1), { ...nothing, outdated: 1, objects: 1 })
  assert.equal(await isThere(kept.key), false)
  const { state, etag, completed_at } = (await service.readSession(kept.sessionId))!
  assert.equal(state, 'removed')
  assert.ok(etag && completed_at)
})

test('objects without a session go after a day, those with one stay, and other prefixes are not looked at', async () => {
  const kept = await posted()
  await service.complete('user-a', kept)
  const put = (key: string) => service.store.put(key, Buffer.from('x'), { contentType: 'text/plain' })
  const orphan = `uploads/${randomUUID()}`
  const others = ['laps/a', 'uploads-too/a', 'a']
  for (const key of [orphan, ...others]) await put(key)
  // The store's own clock says how old an object is; it may differ by a little.
  assert.deepEqual(await sweepAt(days - 5 * minutes), nothing)
  assert.deepEqual(await sweepAt(days + 5 * minutes), { ...nothing, orphans: 1 })
  assert.equal(await isThere(orphan), false)
  for (const key of [kept.key, ...others]) assert.equal(await isThere(key), true)
  await service.store.delete([...others, kept.key])
})

test('a file that arrives after its session was given up is an orphan', async () => {
  const slow = await service.announce('user-a', sampleFile)
  await sweepAt(41 * minutes)
  await postForm(slow, sampleFile)
  assert.deepEqual(await sweepAt(2 * days), { ...nothing, orphans: 1 })
  assert.equal(await isThere(slow.key), false)
})

test('the walk for orphans goes on where it stopped, and begins again at the end', async () => {
  const pages: (string | undefined)[] = []
  const paged = (next: string | null): ObjectStore => ({
    ...service.store,
    async list(_prefix, options) {
      pages.push(options?.after)
      return { objects: [], next }
    },
  })
  await sweepAt(0, paged('uploads/m'))
  await sweepAt(0, paged('uploads/z'))
  await sweepAt(0, paged(null))
  await sweepAt(0, paged(null))
  assert.deepEqual(pages, [undefined, 'uploads/m', 'uploads/z', undefined])
})

test('five sweeps at once do each thing once', async () => {
  const count = 1200
  const rows = Array.from({ length: count }, () => ({
    id: newId(started.getTime()),
    user_id: 'user-many',
    key: `uploads/${randomUUID()}`,
    size: 1,
    created_at: started,
    expires_at: started,
  }))
  await service.db.insertInto('upload_session').values(rows).execute()
  const deleted: string[] = []
  const counting: ObjectStore = {
    ...service.store,
    async delete(keys) {
      deleted.push(...keys)
      await service.store.delete(keys)
    },
  }
  const swept = await Promise.all(Array.from({ length: 5 }, () => sweepAt(31 * minutes, counting)))
  // One that met another's locks may have left some of the objects to a later sweep.
  const rest = await sweepAt(31 * minutes, counting)
  const sum = (what: keyof Swept) => [...swept, rest].reduce((total, each) => total + each[what], 0)
  assert.equal(sum('abandoned'), count)
  assert.equal(sum('objects'), count)
  assert.equal(deleted.length, count)
  assert.equal(new Set(deleted).size, count)
  assert.deepEqual(await sweepAt(31 * minutes), nothing)
})

test('a store that is away holds nothing up but the files, which go when it is back', async () => {
  const sent = await posted()
  const away: ObjectStore = {
    ...service.store,
    delete: async () => Promise.reject(new Error('away')),
    list: async () => Promise.reject(new Error('away')),
  }
  await assert.rejects(sweepAt(41 * minutes, away), /away/)
  assert.equal((await service.readSession(sent.sessionId))?.state, 'removed')
  assert.equal(await isThere(sent.key), true)
  assert.deepEqual(await sweepAt(41 * minutes), { ...nothing, objects: 1 })
  assert.equal(await isThere(sent.key), false)
})

test('the sweeper goes on after a sweep that failed, and ends when it is told to', async () => {
  const logged: string[] = []
  const log = (...said: readonly unknown[]) => logged.push(String(said.at(-1)))
  let calls = 0
  const failsOnce: ObjectStore = {
    ...service.store,
    async list(...args) {
      calls++
      if (calls === 1) throw new Error('away')
      return service.store.list(...args)
    },
  }
  const sent = await posted()
  const sweeper = startSweeper({
    db: service.db,
    store: failsOnce,
    now: () => new Date(started.getTime() + 41 * minutes),
    keepDays: 30,
    everyMs: 1,
    logger: { info: log, warn: log },
  })
  while (calls < 3) await new Promise(resolve => setImmediate(resolve))
  await sweeper.close()
  assert.equal(await isThere(sent.key), false)
  assert.ok(logged.includes('the sweep failed'), logged.join())
})
