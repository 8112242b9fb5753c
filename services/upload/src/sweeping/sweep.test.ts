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

/** Sweeps at that time after the start of the test. */
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

test('deletes an open upload half an hour after its form expired, posted or not', async () => {
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

test('deletes a completed file after thirty days, and marks its row', async () => {
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

test('deletes objects without an upload after a day, and ignores other prefixes', async () => {
  const kept = await posted()
  await service.complete('user-a', kept)
  const put = (key: string) => service.store.put(key, Buffer.from('x'), { contentType: 'text/plain' })
  const orphan = `uploads/${randomUUID()}`
  const others = ['laps/a', 'uploads-too/a', 'a']
  for (const key of [orphan, ...others]) await put(key)
  // The age of an object comes from the store's clock, which may differ a little.
  assert.deepEqual(await sweepAt(days - 5 * minutes), nothing)
  assert.deepEqual(await sweepAt(days + 5 * minutes), { ...nothing, orphans: 1 })
  assert.equal(await isThere(orphan), false)
  for (const key of [kept.key, ...others]) assert.equal(await isThere(key), true)
  await service.store.delete([...others, kept.key])
})

test('deletes a file that arrives after its upload was retired', async () => {
  const slow = await service.announce('user-a', sampleFile)
  await sweepAt(41 * minutes)
  await postForm(slow, sampleFile)
  assert.deepEqual(await sweepAt(2 * days), { ...nothing, orphans: 1 })
  assert.equal(await isThere(slow.key), false)
})

test('continues the walk for orphans where it stopped, and restarts it at the end', async () => {
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

test('does each step once with five sweeps at the same time', async () => {
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
  // A sweep that met locked rows may have left some objects to a later sweep.
  const rest = await sweepAt(31 * minutes, counting)
  const sum = (what: keyof Swept) => [...swept, rest].reduce((total, each) => total + each[what], 0)
  assert.equal(sum('abandoned'), count)
  assert.equal(sum('objects'), count)
  assert.equal(deleted.length, count)
  assert.equal(new Set(deleted).size, count)
  assert.deepEqual(await sweepAt(31 * minutes), nothing)
})

test('runs all other steps while the store is down, and deletes the files when it is back', async () => {
  const sent = await posted()
  const storeDown: ObjectStore = {
    ...service.store,
    delete: async () => Promise.reject(new Error('down')),
    list: async () => Promise.reject(new Error('down')),
  }
  await assert.rejects(sweepAt(41 * minutes, storeDown), /down/)
  assert.equal((await service.readSession(sent.sessionId))?.state, 'removed')
  assert.equal(await isThere(sent.key), true)
  assert.deepEqual(await sweepAt(41 * minutes), { ...nothing, objects: 1 })
  assert.equal(await isThere(sent.key), false)
})

test('continues after a failed sweep, and ends when it is closed', async () => {
  const logged: string[] = []
  const log = (...args: readonly unknown[]) => logged.push(String(args.at(-1)))
  let calls = 0
  const failsOnce: ObjectStore = {
    ...service.store,
    async list(...args) {
      calls++
      if (calls === 1) throw new Error('down')
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
