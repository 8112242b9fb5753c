import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createDb } from '@lapwing/db'
import { createApp, createLogger } from '@lapwing/http'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import { until } from '@lapwing/testing/until.ts'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { createDispatcher } from './dispatcher.ts'
import { receiveEvents } from './inbox.ts'
import { enqueueEvent } from './outbox.ts'
import { eventLevels } from './outbox-levels.ts'
import { createOutboxTables, type EventTables } from './tables.ts'

type Schema = EventTables & { effect: { user_id: string } }

const key = new Uint8Array(32).fill(1)
const logger = createLogger('test', 'silent')
let database: TestDatabase
let db: Kysely<Schema>
let receiver: FastifyInstance
let url: URL
/** Set by a test: runs in the receiver's handler beside its effect. */
let interfere: () => Promise<void> | void
/** Set by a test: runs after the effect is committed. */
let afterCommit: () => Promise<void>

before(async () => {
  database = await testDatabase('account')
  db = createDb<Schema>({ url: database.url, schema: 'account', poolSize: 10 })
  await createOutboxTables(db as Kysely<unknown>)
  await sql`create table effect (user_id text not null)`.execute(db)
  receiver = createApp({ service: 'test', errors: {}, logger })
  receiveEvents<Schema>(receiver, {
    db,
    key,
    handlers: {
      accountDeleted: async (trx, { userId }) => {
        await trx.insertInto('effect').values({ user_id: userId }).execute()
        await interfere()
        return () => afterCommit()
      },
    },
  })
  url = new URL(await receiver.listen({ host: '127.0.0.1', port: 0 }))
})

after(async () => {
  await receiver.close()
  await db.destroy()
  await database.drop()
})

beforeEach(async () => {
  interfere = () => {}
  afterCommit = async () => {}
  await sql`truncate effect, event_outbox, event_delivery, event_inbox`.execute(db)
})

const publishDeleted = (...users: readonly string[]) => publish(['receiver'], ...users)

async function publish(subscribers: readonly string[], ...users: readonly string[]): Promise<void> {
  for (const userId of users) {
    await db
      .transaction()
      .execute(trx =>
        enqueueEvent(
          trx as never,
          { case: 'accountDeleted', value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId } },
          { subscribers, now: new Date() },
        ),
      )
  }
}

const effects = async () => (await db.selectFrom('effect').selectAll().execute()).map(row => row.user_id)
const left = async () => (await db.selectFrom('event_delivery').selectAll().execute()).length

function dispatch(to = url) {
  return createDispatcher({
    db: db as never,
    subscribers: [{ name: 'receiver', url: to }],
    key,
    logger,
    pollMs: 20,
  })
}

test('delivers events in the order they were written, and deletes them', async t => {
  const users = Array.from({ length: 20 }, (_, index) => `user-${index}`)
  await publishDeleted(...users)
  const dispatcher = dispatch()
  t.after(() => dispatcher.close())
  await until(async () => (await left()) === 0)
  assert.deepEqual(await effects(), users)
  assert.deepEqual(await db.selectFrom('event_outbox').selectAll().execute(), [])
})

test('preserves the order and one effect each with four dispatchers', async t => {
  const users = Array.from({ length: 40 }, (_, index) => `user-${index}`)
  await publishDeleted(...users)
  const dispatchers = [dispatch(), dispatch(), dispatch(), dispatch()]
  t.after(() => Promise.all(dispatchers.map(dispatcher => dispatcher.close())))
  await until(async () => (await left()) === 0)
  assert.deepEqual(await effects(), users)
})

test('rolls back a handler that fails, and delivers the event again', async t => {
  let failures = 0
  interfere = () => {
    if (failures++ === 0) throw new Error('the first attempt fails')
  }
  await publishDeleted('user-1')
  const dispatcher = dispatch()
  t.after(() => dispatcher.close())
  await until(async () => (await left()) === 0)
  assert.equal(failures, 2)
  assert.deepEqual(await effects(), ['user-1'])
})

test('delivers an event again if its answer was lost, with one effect in total', async t => {
  let dropped = false
  const flaky: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', async () => {
      const answer = await fetch(new URL('/internal/events', url), {
        method: 'POST',
        headers: {
          'content-type': 'application/x-protobuf',
          authorization: String(request.headers.authorization),
        },
        body: Buffer.concat(chunks),
      })
      if (!dropped) {
        dropped = true
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status).end()
    })
  })
  flaky.listen(0, '127.0.0.1')
  await once(flaky, 'listening')
  t.after(() => flaky.close())
  await publishDeleted('user-1')
  const dispatcher = dispatch(new URL(`http://127.0.0.1:${(flaky.address() as AddressInfo).port}`))
  t.after(() => dispatcher.close())
  await until(async () => (await left()) === 0)
  assert.equal(dropped, true)
  assert.deepEqual(await effects(), ['user-1'])
})

test('delivers to other subscribers if one does not answer', async t => {
  const hanging = Promise.withResolvers<void>()
  let isOver = false
  const silent = createServer(request => {
    hanging.resolve()
    request.socket.once('close', () => {
      isOver = true
    })
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  await publish(['silent', 'receiver'], 'user-1')
  const dispatcher = createDispatcher({
    db: db as never,
    subscribers: [
      { name: 'silent', url: new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`) },
      { name: 'receiver', url },
    ],
    key,
    logger,
    pollMs: 20,
  })
  t.after(async () => {
    silent.closeAllConnections()
    silent.close()
    await dispatcher.close()
  })
  await hanging.promise
  await publish(['receiver'], 'user-2')
  dispatcher.wake()
  await until(async () => (await effects()).length === 2)
  assert.deepEqual(await effects(), ['user-1', 'user-2'])
  assert.equal(isOver, false, 'while the silent one has not answered')
})

test('calls the function that a handler returns once, after the commit and before the answer', async t => {
  const seen: string[][] = []
  afterCommit = async () => {
    seen.push(await effects())
  }
  let failures = 0
  interfere = () => {
    if (failures++ === 0) throw new Error('the first attempt fails')
  }
  await publishDeleted('user-1')
  const dispatcher = dispatch()
  t.after(() => dispatcher.close())
  await until(async () => (await left()) === 0)
  assert.deepEqual(seen, [['user-1']])
})

test('rejects an event without a valid signature', async () => {
  for (const headers of [{}, { authorization: 'Bearer x' }]) {
    const answer = await receiver.inject({
      method: 'POST',
      url: '/internal/events',
      headers: { 'content-type': 'application/x-protobuf', ...headers },
      payload: Buffer.from([10, 1, 97]),
    })
    assert.equal(answer.statusCode, 401)
  }
  assert.deepEqual(await effects(), [])
})

test('reports the events that wait for each subscriber, and the age of the oldest', async () => {
  await publish(['one', 'two'], 'a')
  await publish(['two'], 'b')
  await sql`update event_outbox set created_at = now() - interval '60 s'`.execute(db)
  const [messages, oldest] = eventLevels(db as never, ['two', 'idle'])
  const valuesOf = async (level = messages) =>
    Object.fromEntries((await level!.read()).map(({ labels, value }) => [labels.receiver, value]))
  assert.deepEqual(await valuesOf(), { one: 1, two: 2, idle: 0 })
  const ages = await valuesOf(oldest)
  assert.ok(ages.one! >= 60 && ages.one! < 90, `${ages.one} s`)
  assert.equal(ages.idle, 0)
})
