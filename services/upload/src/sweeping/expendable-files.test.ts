import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { createServiceTokenVerifier } from '@lapwing/auth'
import { newId } from '@lapwing/db'
import { isStoreError, type ObjectStore } from '@lapwing/object-store'
import fc from 'fast-check'
import { createFindJudged, type FindJudged } from '../clients/ingest-client.ts'
import { type Harness, harness, sampleFile } from '../test/harness.ts'
import { postForm } from '../test/post-form.ts'
import type { Quotas } from './expendable-files.ts'
import { type Sweep, sweep } from './sweep.ts'

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
  await service.db.deleteFrom('object_removal').execute()
})

const MB = 1_000_000
const minuteMs = 60_000
const unbounded: Quotas = { account: 1e15, network: 1e15, total: null }
const noneJudged: FindJudged = async () => new Set()

/** Sweeps an hour after the start of the test. */
function sweepWith(quotas: Partial<Quotas>, changes: Partial<Sweep> = {}) {
  const at = new Date(started.getTime() + 60 * minuteMs)
  return sweep({
    db: service.db,
    store: service.store,
    now: () => at,
    keepDays: 30,
    quotas: { ...unbounded, ...quotas },
    findJudged: noneJudged,
    ...changes,
  })
}

interface StoredFile {
  readonly userId?: string
  readonly network?: string | null
  readonly size?: number
  /** Minutes after the start of the test. */
  readonly completedAt: number
  readonly isOpen?: boolean
}

/** Inserts completed uploads without objects. Returns their ids in order. */
async function insertCompleted(files: readonly StoredFile[]): Promise<string[]> {
  const rows = files.map(({ userId = 'user-a', network = null, size = 30 * MB, completedAt, isOpen }) => {
    const at = new Date(started.getTime() + completedAt * minuteMs)
    return {
      id: newId(at.getTime()),
      user_id: userId,
      key: `uploads/${randomUUID()}`,
      size,
      created_at: at,
      expires_at: new Date(at.getTime() + 60 * minuteMs),
      network: network === null ? null : Buffer.from(network),
      ...(!isOpen && { state: 'completed' as const, etag: '"an etag"', completed_at: at }),
    }
  })
  await service.db.insertInto('upload_session').values(rows).execute()
  return rows.map(({ id }) => id)
}

async function states(ids: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await service.db.selectFrom('upload_session').select(['id', 'state']).execute()
  return ids.map(id => rows.find(row => row.id === id)?.state)
}

async function posted(userId: string) {
  const announced = await service.announce(userId, sampleFile)
  assert.equal(await postForm(announced, sampleFile), 204)
  assert.equal((await service.complete(userId, announced)).status, 200)
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

test('deletes the oldest files of an account over its quota, and of no other account', async () => {
  const own = await insertCompleted([3, 1, 2, 4].map(completedAt => ({ completedAt })))
  const others = await insertCompleted([1, 2, 3].map(completedAt => ({ completedAt, userId: 'user-b' })))
  assert.equal((await sweepWith({ account: 90 * MB })).outdated, 1)
  assert.deepEqual(await states(own), ['completed', 'removed', 'completed', 'completed'])
  assert.deepEqual(new Set(await states(others)), new Set(['completed']))
  assert.equal((await sweepWith({ account: 90 * MB - 1 })).outdated, 2)
  assert.deepEqual(await states(own), ['completed', 'removed', 'removed', 'completed'])
})

test('deletes the oldest files of a network over its quota, and of no other network', async () => {
  const home = await insertCompleted(
    [1, 2, 3, 4].map(completedAt => ({ completedAt, userId: `user-${completedAt}`, network: 'home' })),
  )
  const others = await insertCompleted([
    { completedAt: 0, network: 'elsewhere' },
    { completedAt: 0, network: null },
  ])
  assert.equal((await sweepWith({ network: 60 * MB })).outdated, 2)
  assert.deepEqual(await states(home), ['removed', 'removed', 'completed', 'completed'])
  assert.deepEqual(await states(others), ['completed', 'completed'])
})

test('deletes the oldest files of all accounts over the total quota', async () => {
  const ids = await insertCompleted(
    [1, 2, 3].map(completedAt => ({ completedAt, userId: `user-${completedAt}` })),
  )
  assert.equal((await sweepWith({ total: 60 * MB })).outdated, 1)
  assert.deepEqual(await states(ids), ['removed', 'completed', 'completed'])
})

test('sums more than 32 bits correctly', async () => {
  const size = 104_857_600
  const ids = await insertCompleted(
    Array.from({ length: 60 }, (_, index) => ({ completedAt: index / 10, size })),
  )
  assert.equal((await sweepWith({ account: 50 * size })).outdated, 10)
  assert.deepEqual(new Set((await states(ids)).slice(0, 10)), new Set(['removed']))
  assert.deepEqual(new Set((await states(ids)).slice(10)), new Set(['completed']))
})

test('accepts uploads beyond the quota, and does not count unused forms', async () => {
  const ids = await insertCompleted([{ completedAt: 1, size: 90 * MB }])
  await insertCompleted(Array.from({ length: 15 }, () => ({ completedAt: 2, size: 100 * MB, isOpen: true })))
  const { init } = service.variant({ quotas: { account: 104_857_600, network: 104_857_600, total: null } })
  assert.equal((await init('user-a', { size: 104_857_600 })).status, 200)
  assert.equal((await sweepWith({ account: 104_857_600 })).outdated, 0)
  assert.deepEqual(await states(ids), ['completed'])
})

test('deletes a file of any age only after its verdict', async () => {
  const ids = await insertCompleted([1, 2, 3].map(completedAt => ({ completedAt })))
  const judged = new Set([ids[0]!])
  const asked: string[][] = []
  const findJudged: FindJudged = async sessionIds => {
    asked.push([...sessionIds])
    return judged
  }
  assert.equal((await sweepWith({ account: 30 * MB }, { findJudged })).outdated, 1)
  assert.deepEqual(await states(ids), ['completed', 'removed', 'completed'])
  assert.deepEqual(asked, [ids.slice(0, 2)])
  const monthLater = new Date(started.getTime() + 31 * 24 * 60 * minuteMs)
  assert.equal((await sweepWith({}, { findJudged, now: () => monthLater })).outdated, 1)
  assert.deepEqual(await states(ids), ['completed', 'removed', 'removed'])
  judged.clear()
  assert.equal((await sweepWith({}, { findJudged, now: () => monthLater })).outdated, 1)
})

test('deletes other files behind more than a page of judged files', async () => {
  const judgedIds = await insertCompleted(
    Array.from({ length: 250 }, () => ({ completedAt: 1, userId: 'user-busy' })),
  )
  const ids = await insertCompleted([2, 3].map(completedAt => ({ completedAt })))
  const findJudged: FindJudged = async () => new Set(judgedIds)
  assert.equal((await sweepWith({ account: 30 * MB }, { findJudged })).outdated, 1)
  assert.deepEqual(await states(ids), ['removed', 'completed'])
})

test('deletes no completed file while ingest is down, and runs all other steps', async () => {
  const ids = await insertCompleted([1, 2].map(completedAt => ({ completedAt })))
  const [abandoned] = await insertCompleted([{ completedAt: -120, isOpen: true }])
  const findJudged: FindJudged = async () => Promise.reject(new Error('down'))
  await assert.rejects(sweepWith({ account: 30 * MB }, { findJudged }), /could not be removed/)
  assert.deepEqual(await states([...ids, abandoned!]), ['completed', 'completed', 'removed'])
  assert.equal((await sweepWith({ account: 30 * MB })).outdated, 1)
})

test('does not delete a file that ingest requests during the sweep', async () => {
  const ids = await insertCompleted([1, 2].map(completedAt => ({ completedAt })))
  service.clock.now = new Date(started.getTime() + 60 * minuteMs)
  const findJudged: FindJudged = async () => {
    assert.equal((await service.readSession(ids[0]!))?.state, 'completed')
    return new Set()
  }
  assert.equal((await sweepWith({ account: 30 * MB }, { findJudged })).outdated, 0)
  assert.deepEqual(await states(ids), ['completed', 'completed'])
  const later = new Date(started.getTime() + 66 * minuteMs)
  assert.equal((await sweepWith({ account: 30 * MB }, { now: () => later })).outdated, 1)
})

test('does not delete a file within five minutes of its completion, so that ingest can start', async () => {
  const ids = await insertCompleted([54, 55, 56].map(completedAt => ({ completedAt, size: 100 * MB })))
  assert.equal((await sweepWith({ account: 100 * MB })).outdated, 1)
  assert.deepEqual(await states(ids), ['removed', 'completed', 'completed'])
})

test('deletes a file over the quota from the store, and answers 410 for its upload', async () => {
  service.clock.now = started
  const old = await posted('user-a')
  service.clock.now = new Date(started.getTime() + minuteMs)
  const recent = await posted('user-a')
  const swept = await sweepWith({ account: sampleFile.length })
  assert.deepEqual([swept.outdated, swept.objects], [1, 1])
  assert.deepEqual([await isThere(old.key), await isThere(recent.key)], [false, true])
  assert.equal((await service.readSession(old.sessionId))?.state, 'removed')
  const again = await service.complete('user-a', old)
  assert.deepEqual([again.status, again.body.code], [410, 'upload.expired'])
  assert.equal((await service.complete('user-a', recent)).status, 200)
})

for (const [what, faulty] of [
  ['a store that is down', async () => Promise.reject(new Error('down'))],
  [
    'a crash between the end of the object and that of its row',
    async (keys: readonly string[]) => {
      await service.store.delete(keys)
      throw new Error('crashed')
    },
  ],
] as const) {
  test(`loses nothing after ${what}: the next sweep continues`, async () => {
    const old = await posted('user-a')
    service.clock.now = new Date(started.getTime() + minuteMs)
    await posted('user-a')
    const store: ObjectStore = { ...service.store, delete: faulty }
    await assert.rejects(sweepWith({ account: sampleFile.length }, { store }), /down|crashed/)
    assert.equal((await service.readSession(old.sessionId))?.state, 'removed')
    assert.equal((await sweepWith({ account: sampleFile.length })).objects, 1)
    assert.equal(await isThere(old.key), false)
    assert.equal((await sweepWith({ account: sampleFile.length })).objects, 0)
  })
}

test('removes each file once with five sweeps at the same time', async () => {
  const ids = await insertCompleted(
    Array.from({ length: 600 }, (_, index) => ({ completedAt: index / 100, size: MB })),
  )
  const deleted: string[] = []
  const store: ObjectStore = {
    ...service.store,
    async delete(keys) {
      deleted.push(...keys)
    },
  }
  const swept = await Promise.all(
    Array.from({ length: 5 }, () => sweepWith({ account: 100 * MB }, { store })),
  )
  swept.push(await sweepWith({ account: 100 * MB }, { store }))
  assert.equal(
    swept.reduce((sum, { outdated }) => sum + outdated, 0),
    500,
  )
  assert.deepEqual([deleted.length, new Set(deleted).size], [500, 500])
  assert.deepEqual(new Set((await states(ids)).slice(500)), new Set(['completed']))
})

test('keeps the newest files that fit into every quota, for random files', async () => {
  const file = fc.record({
    userId: fc.constantFrom('user-a', 'user-b', 'user-c'),
    network: fc.constantFrom('home', 'club', null),
    size: fc.integer({ min: 1, max: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 100, max: 500 }),
      fc.integer({ min: 100, max: 900 }),
      async (files, account, network) => {
        await service.db.deleteFrom('upload_session').execute()
        const ids = await insertCompleted(files.map((each, index) => ({ ...each, completedAt: index / 100 })))
        await sweepWith({ account, network })
        const expected = files.map((each, index) => {
          const upTo = (isSame: (other: (typeof files)[number]) => boolean) =>
            files.slice(index).reduce((sum, other) => sum + (isSame(other) ? other.size : 0), 0)
          const isOver =
            upTo(({ userId }) => userId === each.userId) > account ||
            (each.network !== null && upTo(other => other.network === each.network) > network)
          return isOver ? 'removed' : 'completed'
        })
        assert.deepEqual(await states(ids), expected)
      },
    ),
    { numRuns: 40 },
  )
})

test('stores a keyed digest of the network, and not its address', async () => {
  const networkOf = async (address: string | undefined) => {
    const answer = await service.call('initUpload', {
      url: '/api/v1/upload/init',
      as: `user-${randomUUID()}`,
      body: { filename: 'a.ibt', size: 1, contentType: '' },
      headers: address === undefined ? {} : { 'x-forwarded-for': address },
    })
    assert.equal(answer.status, 200)
    const row = await service.db
      .selectFrom('upload_session')
      .selectAll()
      .where('id', '=', String(answer.body.sessionId))
      .executeTakeFirstOrThrow()
    assert.doesNotMatch(JSON.stringify(row), /203\.0\.113|2001/)
    return row.network?.toString('hex') ?? null
  }
  const home = await networkOf('203.0.113.7')
  assert.equal(home?.length, 64)
  assert.equal(await networkOf('203.0.113.7'), home)
  assert.notEqual(await networkOf('203.0.113.8'), home)
  const prefix = await networkOf('2001:db8:1:2::1')
  assert.equal(await networkOf('2001:db8:1:2:ffff:0:0:9'), prefix)
  assert.notEqual(await networkOf('2001:db8:1:3::1'), prefix)
  for (const none of [undefined, 'nonsense', '203.0.113.7, 10.0.0.1']) {
    assert.equal(await networkOf(none), null)
  }
})

test('asks ingest with a signed request, and rejects for an invalid answer', async t => {
  const key = new TextEncoder().encode('a key of at least thirty-two bytes')
  const isService = createServiceTokenVerifier(key, 'ingest')
  let answer: readonly [number, string] = [200, '{"session_ids":["b"]}']
  const seen: unknown[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push([request.url, await isService(request.headers.authorization), body])
    response.writeHead(answer[0]).end(answer[1])
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const findJudged = createFindJudged(new URL(`http://127.0.0.1:${port}`), key)
  assert.deepEqual(await findJudged(['a', 'b']), new Set(['b']))
  assert.deepEqual(seen, [['/internal/judged-sessions', true, '{"session_ids":["a","b"]}']])
  for (const bad of [
    [503, '{}'],
    [200, '{}'],
    [200, 'nonsense'],
  ] as const) {
    answer = bad
    await assert.rejects(findJudged(['a']))
  }
})
