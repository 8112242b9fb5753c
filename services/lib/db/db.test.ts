import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { provision, serviceUrl } from '@lapwing/db'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import { until } from '@lapwing/testing/until.ts'
import { sql } from 'kysely'
import { createDb, isUniqueViolation } from './create-db.ts'
import { isUnavailable } from './is-unavailable.ts'
import { migrateToLatest } from './migrate.ts'
import { createSchemaCheck } from './schema-check.ts'

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

test('runs each migration once, however many runs start at the same time', async t => {
  const dbs = [open(), open(), open()]
  t.after(() => Promise.all(dbs.map(db => db.destroy())))
  const ran = await Promise.all(dbs.map(db => migrateToLatest(db as never, { folder, schema: 'account' })))
  assert.deepEqual(
    ran.flatMap(({ ran }) => ran),
    ['20260101t0000-create-thing'],
  )
  assert.deepEqual(await migrateToLatest(dbs[0] as never, { folder, schema: 'account' }), {
    ran: [],
    later: [],
  })
})

test('creates an index of a migration beside a transaction that writes, also after a run that ended too early', async t => {
  const fresh = await testDatabase('account')
  const own = mkdtempSync(join(tmpdir(), 'lapwing-migrations-'))
  const dbs = [open(fresh.url), open(fresh.url)] as const
  const other = open(fresh.url)
  t.after(async () => {
    await Promise.all([...dbs, other].map(db => db.destroy()))
    await fresh.drop()
    rmSync(own, { recursive: true, force: true })
  })
  const migrate = (db: (typeof dbs)[number]) =>
    migrateToLatest(db as never, { folder: own, schema: 'account' })
  writeFileSync(
    join(own, '1-thing.ts'),
    `export const up = db => db.schema.createTable('thing').addColumn('name', 'text').execute()`,
  )
  await migrate(dbs[0])
  writeFileSync(
    join(own, '2-index.ts'),
    `export const concurrentIndex = { name: 'thing_name', on: 'thing (name)' }
    export const up = async () => {}`,
  )
  const writer = await other.startTransaction().execute()
  const add = (name: string) => writer.insertInto('thing').values({ name }).execute()
  await add('a')
  /** Returns the connection that waits for the writer. */
  const untilWaiting = async () => {
    let pid: number | undefined
    await until(async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and query like '% index concurrently %' and wait_event = 'virtualxid'`.execute(other)
      pid = rows[0]?.pid
      return pid !== undefined
    }, 'the index waits')
    return pid
  }
  const cut = assert.rejects(migrate(dbs[0]), /cancel/)
  await sql`select pg_cancel_backend(${await untilWaiting()})`.execute(other)
  await cut
  const runs = dbs.map(migrate)
  await untilWaiting()
  await add('b')
  await writer.commit().execute()
  assert.deepEqual(
    (await Promise.all(runs)).flatMap(({ ran }) => ran),
    [],
  )
  const { rows } = await sql<{ indisvalid: boolean }>`select indisvalid from pg_index
    where indexrelid = 'thing_name'::regclass`.execute(other)
  assert.deepEqual(rows, [{ indisvalid: true }])
})

test('accepts a schema that a later version has migrated, names its migrations and changes nothing', async t => {
  const fresh = await testDatabase('account')
  t.after(() => fresh.drop())
  const db = open(fresh.url)
  t.after(() => db.destroy())
  const isComplete = createSchemaCheck(db, folder)
  assert.match(String(await isComplete()), /lacks the migration 20260101t0000-create-thing/)
  const later = '20270101t0000-add-colour'
  writeFileSync(
    join(folder, `${later}.ts`),
    `export const up = db => db.schema.alterTable('thing').addColumn('colour', 'text').execute()`,
  )
  await migrateToLatest(db as never, { folder, schema: 'account' })
  rmSync(join(folder, `${later}.ts`))
  assert.deepEqual(await migrateToLatest(db as never, { folder, schema: 'account' }), {
    ran: [],
    later: [later],
  })
  assert.equal(await isComplete(), true)
  await db.insertInto('thing').values({ name: 'a' }).execute()
})

test('refuses a schema with a migration that is neither of this version nor later', async t => {
  const fresh = await testDatabase('account')
  t.after(() => fresh.drop())
  const db = open(fresh.url)
  t.after(() => db.destroy())
  await migrateToLatest(db as never, { folder, schema: 'account' })
  const name = '20250101t0000-other-line'
  await sql`insert into kysely_migration values (${name}, ${new Date(0).toISOString()})`.execute(db)
  await assert.rejects(
    migrateToLatest(db as never, { folder, schema: 'account' }),
    /20250101t0000-other-line/,
  )
})

test('says which part of DATABASE_URL the database refuses, and rejects if it is away', async t => {
  const check = async (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    const db = open(url.href)
    t.after(() => db.destroy())
    return createSchemaCheck(db, folder)()
  }
  assert.match(String(await check(url => (url.pathname = '/none'))), /DATABASE_URL names does not exist/)
  assert.match(String(await check(url => (url.password = 'wrong'))), /password of DATABASE_URL/)
  await assert.rejects(
    check(url => (url.port = '1')),
    isUnavailable,
  )
})

test('throws and names a migration that fails', async t => {
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

test('recognises a repeated unique value by its constraint', async t => {
  const db = open()
  t.after(() => db.destroy())
  const insert = () => db.insertInto('thing').values({ name: 'a' }).execute()
  await insert()
  await assert.rejects(
    insert,
    error => isUniqueViolation(error, 'thing_name_key') && !isUniqueViolation(error, 'other'),
  )
})

test('turns off parallel plans and JIT on every connection', async t => {
  const db = open()
  t.after(() => db.destroy())
  const { rows } = await sql<{ workers: string; jit: string }>`
    select current_setting('max_parallel_workers_per_gather') as workers, current_setting('jit') as jit`.execute(
    db,
  )
  assert.deepEqual(rows, [{ workers: '0', jit: 'off' }])
})

test('fails only the work of a connection that is reset during a statement or between two of a transaction', async t => {
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

/** Relays between a client and the server, and cuts the connections on request. */
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

test('plans each text once for a connection, whatever the values', async t => {
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

test('runs more texts than it prepares', async t => {
  const db = createDb({ url: database.url, schema: 'account', poolSize: 1, prepare: true })
  t.after(() => db.destroy())
  for (let number = 0; number < 250; number++) {
    const { rows } = await sql<{ number: number }>`select ${sql.lit(number)} as number`.execute(db)
    assert.deepEqual(rows, [{ number }])
  }
})

test("refuses a service's role access to another service's schema", async t => {
  const other = { service: 'identity', password: 'test' }
  await provision(database.ownerUrl, [other])
  const db = open(serviceUrl(database.ownerUrl, other))
  t.after(() => db.destroy())
  await assert.rejects(sql`select * from account.thing`.execute(db), /permission denied for schema account/)
})
