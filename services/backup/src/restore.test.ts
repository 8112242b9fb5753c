import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDb, migrateToLatest } from '@lapwing/db'
import type pg from 'pg'
import { connect } from './database/connect.ts'
import { type Manifest, readManifest, writeManifest } from './manifest.ts'
import { migrationsOf, type Schema } from './schemas.ts'
import {
  aFilledInstallation,
  aFolder,
  allObjects,
  allRows,
  anInstallation,
  backUpInto,
  type Cleanup,
  OBJECTS,
  restoreFrom,
  type TestInstallation,
} from './test/harness.ts'

// No test changes them.
const source = await aFilledInstallation({ after })
const folder = await backUpInto(aFolder({ after }), source)

test('restores every row, sequence and object into an empty installation, with the digest of the boards', async t => {
  const target = await anInstallation(t)
  await target.disconnect()
  await restoreFrom(folder, target, { isSendingMessages: true })
  const again = await reconnected(t, target)
  assert.deepEqual(await allRows(again), await allRows(source))
  const { [OBJECTS[3].key]: _, ...named } = await allObjects(source.store)
  assert.deepEqual(await allObjects(target.store), named)
  const { boards } = await readManifest(await backUpInto(aFolder(t), target))
  assert.deepEqual(boards, (await readManifest(folder)).boards)
  assert.equal(boards!.rows, 2)
})

test('sends no mail twice: what waited at the backup is given up, unless the operator says that nothing ran since', async t => {
  for (const isSendingMessages of [false, true]) {
    const target = await anInstallation(t)
    await target.disconnect()
    await restoreFrom(folder, target, { isSendingMessages })
    const again = await reconnected(t, target)
    const { rows } = await again
      .client('identity')
      .query(
        `select kind, finished_at is null as waits, content_sealed is null as is_gone from mail_outbox order by kind desc`,
      )
    assert.deepEqual(rows, [
      { kind: 'waiting', waits: isSendingMessages, is_gone: !isSendingMessages },
      { kind: 'sent', waits: false, is_gone: true },
    ])
    // Sessions and events between services are as they were.
    assert.equal((await again.client('identity').query('select from session')).rowCount, 1)
    assert.equal((await again.client('account').query('select from event_delivery')).rowCount, 1)
  }
})

test('refuses another key, a newer schema, another line and other parts before it changes anything', async t => {
  const target = await anInstallation(t)
  await target.disconnect()
  const { installation } = target
  const changed = async (change: (manifest: Manifest) => Manifest) => {
    const copy = join(aFolder(t), 'backup')
    cpSync(folder, copy, { recursive: true })
    await writeManifest(copy, change(await readManifest(copy)))
    return copy
  }
  const withMigrations = (change: (names: readonly string[]) => readonly string[]) =>
    changed(manifest => {
      const { ingest } = manifest.schemas
      return {
        ...manifest,
        schemas: { ...manifest.schemas, ingest: { ...ingest!, migrations: change(ingest!.migrations) } },
      }
    })
  const other = { installation: { ...installation, keyEncryptionKey: Buffer.alloc(32, 8) } }
  await assert.rejects(
    restoreFrom(folder, target, other),
    /The backup needs the key-encryption key [0-9a-f]{16}, and/,
  )
  // Past the key, the next check refuses.
  const without = new Map([...installation.databases].filter(([schema]) => schema !== 'ingest'))
  await assert.rejects(
    restoreFrom(folder, target, {
      installation: { ...other.installation, databases: without },
      isKeyLost: true,
    }),
    /The backup has ingest; name/,
  )
  await assert.rejects(
    restoreFrom(await withMigrations(names => [...names, '20991231t0000-later']), target),
    /newer Lapwing \(0\.0\.0\): its schema ingest has 20991231t0000-later\./,
  )
  await assert.rejects(
    restoreFrom(await withMigrations(names => names.slice(1)), target),
    /The schema ingest of the backup lacks 20261128t1000-create-events: it is of another line\./,
  )
  await assert.rejects(
    restoreFrom(await changed(manifest => ({ ...manifest, format: 2 as never })), target),
    /has the format 2\. Use a newer Lapwing\./,
  )
  const accounts = new Map([...installation.databases].filter(([schema]) => /identity|account/.test(schema)))
  await assert.rejects(
    restoreFrom(folder, target, { installation: { ...installation, databases: accounts, bucket: null } }),
    /The backup has upload, ingest, leaderboard; name their databases too\./,
  )
  const again = await reconnected(t, target)
  assert.deepEqual(Object.values(await allRows(again)).flat(), [])
  assert.deepEqual(await allObjects(target.store), {})
})

test('refuses a target that is filled or in use, and replaces it only if told', async t => {
  const target = await aFilledInstallation(t)
  const url = target.installation.databases.get('identity')!
  await target.disconnect()
  const service = createDb<unknown>({ url: url.href, schema: 'identity', poolSize: 1 })
  await migrateToLatest(service, { folder: migrationsOf('identity'), schema: 'identity' })
  await assert.rejects(
    restoreFrom(folder, target, { isReplacing: true }),
    /The database of identity is in use by lapwing-identity\. Stop the services first\./,
  )
  await service.destroy()
  await assert.rejects(restoreFrom(folder, target), /The schema account is not empty\./)
  await restoreFrom(folder, target, { isReplacing: true, isSendingMessages: true })
  const again = await reconnected(t, target)
  assert.deepEqual(await allRows(again), await allRows(source))

  const withObjects = await anInstallation(t)
  await withObjects.disconnect()
  await withObjects.store.put('laps/x', Buffer.from('x'), { contentType: 'text/plain' })
  await assert.rejects(restoreFrom(folder, withObjects), /The bucket is not empty \(laps\/x\)\./)
})

test('continues after an interruption at any step, and nothing can migrate until it has ended', async t => {
  const target = await anInstallation(t)
  await target.disconnect()
  const { href: url } = target.installation.databases.get('account')!
  let isDone = false
  for (let line = 1; !isDone; line++) {
    const stop = new AbortController()
    let said = 0
    const say = () => {
      if (++said === line) stop.abort()
    }
    isDone = await restoreFrom(folder, target, { say, signal: stop.signal, isSendingMessages: true }).then(
      () => true,
      (error: Error) => {
        assert.match(error.message, /^The restore was stopped\. Run it again; until then/)
        return false
      },
    )
    // The first line comes before the first change.
    if (line === 1) continue
    const db = createDb<unknown>({ url, schema: 'account', poolSize: 1 })
    try {
      const migrating = migrateToLatest(db, { folder: migrationsOf('account'), schema: 'account' })
      if (isDone) assert.deepEqual(await migrating, { ran: [], later: [] })
      else await assert.rejects(migrating, /a restore of schema account has not ended/)
    } finally {
      await db.destroy()
    }
    if (!isDone)
      await assert.rejects(backUpInto(aFolder(t), target), /has not ended\. Finish it, then|no tables/)
  }
  const again = await reconnected(t, target)
  assert.deepEqual(await allRows(again), await allRows(source))
})

test('fails at a file that has changed, and leaves nothing that could start', async t => {
  const target = await anInstallation(t)
  await target.disconnect()
  const copy = join(aFolder(t), 'backup')
  cpSync(folder, copy, { recursive: true })
  rmSync(join(copy, 'objects', OBJECTS[1].key))
  await assert.rejects(restoreFrom(copy, target), /b2 cannot be read: ENOENT/)
  const db = createDb<unknown>({
    url: target.installation.databases.get('identity')!.href,
    schema: 'identity',
    poolSize: 1,
  })
  t.after(() => db.destroy())
  await assert.rejects(
    migrateToLatest(db, { folder: migrationsOf('identity'), schema: 'identity' }),
    /a restore of schema identity has not ended: run the restore again/,
  )
})

/** Opens the target again, which nobody may use during a restore. */
async function reconnected(t: Cleanup, target: TestInstallation): Promise<TestInstallation> {
  const clients = new Map<Schema, pg.Client>()
  for (const [schema, url] of target.installation.databases) clients.set(schema, await connect(schema, url))
  t.after(() => Promise.all([...clients.values()].map(client => client.end())))
  return { ...target, client: schema => clients.get(schema)! }
}
