import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { provision, serviceUrl } from '@lapwing/db'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import { sql } from 'kysely'
import { createDb, isUniqueViolation } from './create-db.ts'
import { isUnavailable } from './is-unavailable.ts'
import { migrateToLatest } from './migrate.ts'

let database: TestDatabase
let folder: string

before(async () => {
  database = await testDatabase('account')
  folder = mkdtempSync(join(tmpdir(), 'lapwing-migrations-'))
  writeFileSync(
    join(folder, '20260101t0000-create-thing.ts'),
    `export const up = db => db.schema.createTable('thing').addColumn('name', 'text', column => column.unique()).execute()`,
  )
})

after(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function open(url = database.url) {
  return createDb<{ thing: { name: string } }>({ url, schema: 'account', poolSize: 4 })
}

test('migrations run once, however often and however many at once', async t => {
  const dbs = [open(), open(), open()]
  t.after(() => Promise.all(dbs.map(db => db.destroy())))
  const ran = await Promise.all(dbs.map(db => migrateToLatest(db as never, { folder, schema: 'account' })))
  assert.deepEqual(ran.flat(), ['20260101t0000-create-thing'])
  assert.deepEqual(await migrateToLatest(dbs[0] as never, { folder, schema: 'account' }), [])
})

test('a failing migration throws and names itself', async t => {
  const db = open()
  t.after(() => db.destroy())
  writeFileSync(
    join(folder, '20260102t0000-break-thing.ts'),
    `export const up = () => Promise.reject(new Error('no'))`,
  )
  await assert.rejects(
    migrateToLatest(db as never, { folder, schema: 'account' }),
    /20260102t0000-break-thing/,
  )
  rmSync(join(folder, '20260102t0000-break-thing.ts'))
})

test('a repeated unique value is recognised by its constraint', async t => {
  const db = open()
  t.after(() => db.destroy())
  const insert = () => db.insertInto('thing').values({ name: 'a' }).execute()
  await insert()
  await assert.rejects(
    insert,
    error => isUniqueViolation(error, 'thing_name_key') && !isUniqueViolation(error, 'other'),
  )
})

test('parallel plans and JIT are off on every connection', async t => {
  const db = open()
  t.after(() => db.destroy())
  const { rows } = await sql<{ workers: string; jit: string }>`
    select current_setting('max_parallel_workers_per_gather') as workers, current_setting('jit') as jit`.execute(
    db,
  )
  assert.deepEqual(rows, [{ workers: '0', jit: 'off' }])
})

test('a connection that is reset under a statement, or between two of a transaction, fails that work alone', async t => {
  const relay = await startRelay(t, new URL(database.url))
  const db = open(relay.url)
  t.after(() => db.destroy())
  for (const isIdle of [false, true]) {
    const reached = Promise.withResolvers<void>()
    const work = db.transaction().execute(async trx => {
      await sql`select 1`.execute(trx)
      const running = isIdle ? null : sql`select pg_sleep(60)`.execute(trx)
      reached.resolve()
      if (isIdle) await relay.isReset
      await (running ?? sql`select 1`.execute(trx))
    })
    await Promise.all([assert.rejects(work, isUnavailable), reached.promise.then(() => relay.reset())])
    assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }])
  }
})

/** Stands between a client and the server, and cuts what goes through it. */
async function startRelay(t: TestContext, target: URL) {
  const sockets = new Set<Socket>()
  const reset = Promise.withResolvers<void>()
  const server = createServer(client => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.pipe(upstream).pipe(client)
    sockets.add(client)
    client.once('close', () => {
      sockets.delete(client)
      upstream.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    isReset: reset.promise,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy()
      reset.resolve()
    },
  }
}

test('a connection that prepares keeps one plan a text, whatever the values', async t => {
  const db = createDb({ url: database.url, schema: 'account', poolSize: 1, prepare: true })
  t.after(() => db.destroy())
  for (let value = 0; value < 5; value++) {
    const { rows } = await sql<{ sum: number }>`select ${value}::int + 1 as sum`.execute(db)
    assert.deepEqual(rows, [{ sum: value + 1 }])
  }
  const { rows } = await sql<{ runs: string }>`
    select generic_plans + custom_plans as runs from pg_prepared_statements where statement like '%::int + 1 as sum'`.execute(
    db,
  )
  assert.deepEqual(rows, [{ runs: '5' }])
})

test('more texts than are prepared still run', async t => {
  const db = createDb({ url: database.url, schema: 'account', poolSize: 1, prepare: true })
  t.after(() => db.destroy())
  for (let number = 0; number < 250; number++) {
    const { rows } = await sql<{ number: number }>`select ${sql.lit(number)} as number`.execute(db)
    assert.deepEqual(rows, [{ number }])
  }
})

test("a service's role cannot read another service's schema", async t => {
  const other = { service: 'identity', password: 'test' }
  await provision(database.ownerUrl, [other])
  const db = open(serviceUrl(database.ownerUrl, other))
  t.after(() => db.destroy())
  await assert.rejects(sql`select * from account.thing`.execute(db), /permission denied for schema account/)
})
