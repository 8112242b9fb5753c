import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createDispatcher, enqueueEvent } from '@lapwing/events'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import { until } from '@lapwing/testing/until.ts'
import { defaultNameOf } from '@lapwing/usernames/default-name'
import { Redis } from 'ioredis'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { service as leaderboard } from '../app.ts'
import type { Database } from '../database.ts'
import { aStanding, summitPage } from '../test/a-standing.ts'
import { type Harness, type HarnessOptions, harness, internalKey, type Page } from '../test/harness.ts'
import { ownRedis, testRedis } from '../test/test-redis.ts'
import { createWindows } from './windows.ts'

const logger = pino({ level: 'silent' })

async function start(t: TestContext, options: HarnessOptions = {}): Promise<Harness> {
  const service = await harness(options)
  t.after(() => service.close())
  return service
}

/** Starts the service on a Redis of its own, which a test can kill and empty. */
async function startOnOwnRedis(t: TestContext) {
  const own = await ownRedis()
  const redis = openRedis(new URL(own.server.url), logger)
  t.after(() => own.stop())
  await until(redis.isUp)
  return { ...own, redis, service: await start(t, { redis }) }
}

const pageOf = (service: Harness, more = '', as = 'user-reader') =>
  service.get<Page>('getPage', `${summitPage}${more}`, as)

async function rankOf(service: Harness, contextId: number, userId: string): Promise<number> {
  const { status, body } = await service.get('getMe', `/api/leaderboards/${contextId}/me`, userId)
  assert.equal(status, 200)
  return body.me.rank
}

/** Opens a Redis with a long time-out, so that a busy machine causes no read past it. */
async function patientRedis(t: TestContext): Promise<SharedRedis> {
  const server = await testRedis()
  const client = new Redis(server.url.href)
  t.after(() => {
    client.disconnect()
    return server.stop()
  })
  return { run: command => command(client), isUp: () => true, close: () => client.disconnect() }
}

test('queries the database once for 200 readers of an uncached page', async t => {
  let pages = 0
  const service = await start(t)
  await service.put(aStanding('user-a', 90_000))
  const counting = new Proxy(service.deps.db, {
    get(db, name) {
      const value = Reflect.get(db, name)
      if (name !== 'executeQuery') return typeof value === 'function' ? value.bind(db) : value
      return (query: { readonly sql: string }) => {
        if (query.sql.includes('row_number')) pages++
        return db.executeQuery(query as never)
      }
    },
  }) as Kysely<Database>
  const windows = createWindows(await patientRedis(t), logger, {
    prefix: `lb-test-${randomUUID()}`,
    answerWithinMs: 60_000,
  })
  const app = leaderboard.build({ ...service.deps, db: counting, windows })
  t.after(() => app.close())
  const { createPrincipalSigner, IDENTITY_HEADER } = await import('@lapwing/auth')
  const sign = createPrincipalSigner(internalKey)
  const token = await sign({ userId: 'user-reader', sessionId: 'session-test-1', roles: [] })
  const answers = await Promise.all(
    Array.from({ length: 200 }, () =>
      app.inject({ method: 'GET', url: summitPage, headers: { [IDENTITY_HEADER]: token } }),
    ),
  )
  assert.ok(answers.every(answer => answer.json().total === 1))
  assert.equal(pages, 1)
})

test('shows the new rank immediately to the writer and to all later readers', async t => {
  const service = await start(t)
  const { context_id } = await service.put(aStanding('user-other', 90_000))
  for (let version = 1; version <= 40; version++) {
    const isAhead = version % 2 === 0
    await service.put(aStanding('user-writer', isAhead ? 89_000 : 91_000, { version }))
    assert.equal(await rankOf(service, context_id, 'user-writer'), isAhead ? 1 : 2)
    assert.equal(await rankOf(service, context_id, 'user-other'), isAhead ? 2 : 1)
    const { body } = await pageOf(service, '&limit=1')
    assert.equal(body.rows[0]!.user_id, isAhead ? 'user-writer' : 'user-other')
  }
})

test('invalidates the cache for a repeated standing, because its first process may have died after its commit', async t => {
  const service = await start(t)
  await service.put(aStanding('user-other', 90_000))
  assert.equal((await pageOf(service)).body.total, 1)
  const repeated = aStanding('user-writer', 91_000)
  const { createServiceTokenSigner } = await import('@lapwing/auth')
  // A process that died after its commit did not drop the cache.
  const windows = { ...service.deps.windows, drop: async () => {} }
  const dying = leaderboard.build({ ...service.deps, windows })
  t.after(() => dying.close())
  const answer = await dying.inject({
    method: 'PUT',
    url: '/internal/standings',
    headers: { authorization: `Bearer ${await createServiceTokenSigner(internalKey, 'leaderboard')()}` },
    payload: repeated,
  })
  assert.equal(answer.statusCode, 200)
  assert.equal((await pageOf(service)).body.total, 1)
  assert.equal((await service.put(repeated)).applied, true)
  assert.equal((await pageOf(service)).body.total, 2)
})

test('answers without error or stale data when Redis is emptied under load', async t => {
  const { service, redis } = await startOnOwnRedis(t)
  const { context_id } = await service.put(aStanding('user-other', 90_000))
  let isOver = false
  const readers = Array.from({ length: 8 }, async (_, reader) => {
    while (!isOver) {
      const { status, body } = await pageOf(service, `&offset=${reader % 2}`)
      assert.equal(status, 200)
      assert.ok(body.total >= 1)
    }
  })
  for (let version = 1; version <= 60; version++) {
    await service.put(aStanding('user-writer', version % 2 === 0 ? 89_000 : 91_000, { version }))
    if (version % 3 === 0) await redis.run(client => client.flushall())
    assert.equal(await rankOf(service, context_id, 'user-writer'), version % 2 === 0 ? 1 : 2)
  }
  isOver = true
  await Promise.all(readers)
})

test('answers without error or stale data when Redis is killed and restarted', async t => {
  const { service, redis, server } = await startOnOwnRedis(t)
  const { context_id } = await service.put(aStanding('user-other', 90_000))
  await service.put(aStanding('user-writer', 91_000))
  assert.equal(await rankOf(service, context_id, 'user-writer'), 2)
  await server.kill()
  for (let version = 2; version <= 11; version++) {
    await service.put(aStanding('user-writer', version % 2 === 0 ? 89_000 : 91_000, { version }))
    assert.equal(await rankOf(service, context_id, 'user-writer'), version % 2 === 0 ? 1 : 2)
    assert.equal((await pageOf(service)).body.total, 2)
  }
  const again = await ownRedis(server.port)
  t.after(() => again.stop())
  await until(redis.isUp)
  await service.put(aStanding('user-writer', 80_000, { version: 12 }))
  assert.equal(await rankOf(service, context_id, 'user-writer'), 1)
  // Redis is in use again.
  await until(async () => {
    await pageOf(service)
    return (await redis.run(client => client.dbsize())) > 1
  })
})

test('works without Redis, and shows this in its readiness', async t => {
  const service = await start(t, { redis: null })
  const { context_id } = await service.put(aStanding('user-a', 90_000))
  assert.equal(await rankOf(service, context_id, 'user-a'), 1)
  const ready = await service.app.inject('/readyz')
  assert.deepEqual([ready.statusCode, ready.json().redis], [200, false])
})

test('shows a new name on the boards within 5 s of its event, even if they are cached', async t => {
  const service = await start(t)
  await service.put(aStanding('user-a', 90_000))
  const url = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }))
  const dispatcher = createDispatcher({
    db: service.db as never,
    subscribers: [{ name: 'leaderboard', url }],
    key: internalKey,
    logger: logger as never,
  })
  t.after(() => dispatcher.close())
  const nameOf = async () => (await pageOf(service)).body.rows[0]!.display_name
  assert.equal(await nameOf(), defaultNameOf('user-a'))
  for (const username of ['apex-hunter', 'late-braker']) {
    await service.db.transaction().execute(trx =>
      enqueueEvent(
        trx as never,
        {
          case: 'usernameChanged',
          value: { $typeName: 'lapwing.events.v1.UsernameChanged', userId: 'user-a', username },
        },
        { subscribers: ['leaderboard'], now: new Date() },
      ),
    )
    // A window that is not dropped would stay twice as long as this waits.
    await until(async () => (await nameOf()) === username)
  }
})
