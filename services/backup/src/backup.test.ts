import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runNode } from '@lapwing/testing/run-node.ts'
import { until } from '@lapwing/testing/until.ts'
import { checkBackup } from './check-backup.ts'
import { connect } from './database/connect.ts'
import { listBackups, readManifest } from './manifest.ts'
import {
  aFilledInstallation,
  aFolder,
  backUpInto,
  key,
  lapId,
  OBJECTS,
  type TestInstallation,
} from './test/harness.ts'

test('stores the objects that rows name and no others, and never the key', async t => {
  const source = await aFilledInstallation(t)
  const folder = await backUpInto(aFolder(t), source)
  const { keyName, objects, schemas, boards } = await readManifest(folder)
  assert.deepEqual({ count: objects!.count, missing: objects!.missing }, { count: 3, missing: 0 })
  assert.equal(boards!.rows, 2)
  assert.equal(schemas.identity!.tables.find(({ name }) => name === 'person')!.rows, 2)
  for (const { key: name, body } of OBJECTS.slice(0, 3)) {
    assert.deepEqual(await readFile(join(folder, 'objects', name)), body)
  }
  assert.equal(
    filesOf(folder).some(file => file.endsWith('ffff')),
    false,
  )
  assert.match(keyName, /^[0-9a-f]{16}$/)
  for (const file of filesOf(folder)) {
    const bytes = await readFile(join(folder, file))
    assert.equal(bytes.includes(key) || bytes.includes(key.toString('base64')), false, file)
  }
})

test('sees one moment: what others write during the backup is in all of it or in none', async t => {
  const source = await aFilledInstallation(t)
  const other = await connect('leaderboard', source.installation.databases.get('leaderboard')!)
  t.after(() => other.end())
  let isWritten = false
  const folder = await backUpInto(aFolder(t), source, {
    // Called after the first schema, before leaderboard.
    say: async line => {
      if (!line.startsWith('identity:')) return
      isWritten = true
      await other.query(`insert into driver (user_id) values ('later')`)
    },
  })
  assert.ok(isWritten)
  const { schemas } = await readManifest(folder)
  assert.equal(schemas.leaderboard!.tables.find(({ name }) => name === 'driver')!.rows, 2)
})

test('links what has not changed since the backup before, and counts what was deleted meanwhile', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const first = await backUpInto(dir, source)
  await source.store.put(OBJECTS[0].key, Buffer.from('another'), { contentType: 'text/plain' })
  await source.store.delete([OBJECTS[1].key])
  const second = await backUpInto(dir, source)
  const inode = (folder: string, n: number) => statSync(join(folder, 'objects', OBJECTS[n]!.key)).ino
  assert.equal(inode(second, 2), inode(first, 2))
  assert.notEqual(inode(second, 0), inode(first, 0))
  const { objects } = await readManifest(second)
  assert.deepEqual({ count: objects!.count, missing: objects!.missing }, { count: 2, missing: 1 })
  assert.equal(await problemsOf(first), 0)
  assert.equal(await problemsOf(second), 0)
})

test('leaves the backups before as they are, wherever it is stopped, and removes its remains', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const before = await backUpInto(dir, source)
  let lines = 0
  await backUpInto(aFolder(t), source, { say: () => lines++ })
  // The line after the last one comes when the backup is whole.
  for (let line = 1; line < lines; line++) {
    const stop = new AbortController()
    let said = 0
    const say = () => {
      if (++said === line) stop.abort()
    }
    await assert.rejects(
      backUpInto(dir, source, { say, signal: stop.signal }),
      { name: 'BackupProblem' },
      `line ${line}`,
    )
    assert.deepEqual(readdirSync(dir), await listBackups(dir))
  }
  assert.deepEqual(await listBackups(dir), [before.slice(dir.length + 1)])
  assert.equal(await problemsOf(before), 0)
})

test('leaves the backups before as they are if its process is killed at any byte', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const before = await backUpInto(dir, source)
  let kills = 0
  for (const bytes of [0, 1, 10_000, 1_000_000, 2_500_000]) {
    // A fresh file, so that its bytes are fetched and not linked.
    await source.store.put(OBJECTS[2].key, Buffer.alloc(3_000_000, bytes % 251), {
      contentType: 'application/octet-stream',
    })
    const child = spawn(process.execPath, [join(import.meta.dirname, 'backup.ts')], {
      env: { ...source.env, BACKUP_DIR: dir, KEEP_BACKUPS: '100' },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await until(() => child.exitCode !== null || sizeOfParts(dir) >= bytes, 'bytes of the backup')
    child.kill('SIGKILL')
    const [, signal] = await exited
    if (signal === 'SIGKILL') kills++
    for (const name of await listBackups(dir)) assert.equal(await problemsOf(join(dir, name)), 0)
  }
  assert.ok(kills >= 2, `${kills} kills`)
  await until(async () => (await otherSessions(source)) === 0, 'the sessions of killed processes')
  const after = await backUpInto(dir, source)
  assert.equal(await problemsOf(after), 0)
  assert.deepEqual(readdirSync(dir), await listBackups(dir))
  assert.equal(await problemsOf(before), 0)
})

test('deletes the oldest backups above the number that stay', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const folders: string[] = []
  for (let n = 0; n < 3; n++) folders.push(await backUpInto(dir, source, { keep: 2 }))
  assert.deepEqual(
    (await listBackups(dir)).map(name => join(dir, name)),
    folders.slice(1),
  )
  // Links of a deleted backup stay whole.
  for (const folder of folders.slice(1)) assert.equal(await problemsOf(folder), 0)
})

test('makes the first backup once', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const first = () => run('backup.ts', ['--first'], { ...source.env, BACKUP_DIR: dir })
  assert.equal((await first()).code, 0)
  const [name, ...others] = await listBackups(dir)
  assert.deepEqual(others, [])
  const { code, out } = await first()
  assert.equal(code, 0)
  assert.equal(out, `There is a backup of ${name} already.\n`)
  assert.deepEqual(await listBackups(dir), [name])
})

test('refuses a second backup of the same database at the same time', async t => {
  const source = await aFilledInstallation(t)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const stop = new AbortController()
  const first = backUpInto(aFolder(t), source, { say: () => begin(), signal: stop.signal })
  first.catch(() => undefined)
  await begun
  await assert.rejects(backUpInto(aFolder(t), source), /Another backup of this database runs\./)
  await first
})

test('says which file is missing or has changed, and exits with 1', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const folder = await backUpInto(dir, source)
  assert.deepEqual(await check(dir), {
    code: 0,
    lines: [
      `Backup ${folder.slice(dir.length + 1)} is whole; it needs the key-encryption key ${(await readManifest(folder)).keyName}.`,
    ],
  })
  rmSync(join(folder, 'objects', OBJECTS[0].key))
  flipByte(join(folder, 'objects', OBJECTS[2].key), 1_000_000)
  truncateSync(join(folder, 'identity/person.copy.gz'), 30)
  const { code, lines } = await check(dir)
  assert.equal(code, 1)
  assert.equal(lines.length, 4)
  assert.match(lines[0]!, /identity\/person\.copy\.gz is missing or damaged/)
  assert.match(lines[1]!, new RegExp(`laps/${lapId(1)}/a1 cannot be read: ENOENT`))
  assert.match(lines[2]!, /uploads\/0a1b has changed since the backup/)
  assert.match(lines[3]!, /has 3 damaged or missing files/)
  flipByte(join(folder, 'manifest.json'), 20)
  assert.match(
    (await check(dir)).lines[0]!,
    /The manifest of .* is missing or damaged\. Use another backup\./,
  )
})

test('gives a sentence and no secret if the database or the store is away', async t => {
  const source = await aFilledInstallation(t)
  const dir = aFolder(t)
  const away = await run('backup.ts', [], {
    ...source.env,
    BACKUP_DIR: dir,
    IDENTITY_DATABASE_URL: 'postgres://identity:hidden-1@127.0.0.1:1/lapwing',
  })
  assert.equal(away.code, 1)
  assert.match(away.out, /^The database of identity cannot be used: connect ECONNREFUSED/m)
  assert.doesNotMatch(away.out, /hidden-1| {4}at /)
  assert.equal((await run('backup.ts', [], { BACKUP_DIR: dir })).code, 2)
  assert.equal((await run('restore.ts', ['--what'], source.env)).code, 2)
})

async function problemsOf(folder: string): Promise<number> {
  return checkBackup({ folder, keyEncryptionKey: key, say: () => {}, signal: new AbortController().signal })
}

async function check(dir: string) {
  const { code, out } = await run('restore.ts', ['--check'], { BACKUP_DIR: dir })
  return { code, lines: out.trim().split('\n') }
}

function run(file: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return runNode([join(import.meta.dirname, file), ...args], env)
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

function sizeOfParts(dir: string): number {
  const part = readdirSync(dir).find(name => name.endsWith('.part'))
  if (part === undefined) return -1
  try {
    return filesOf(join(dir, part)).reduce((sum, file) => sum + statSync(join(dir, part, file)).size, 0)
  } catch {
    // It was renamed meanwhile.
    return -1
  }
}

async function otherSessions(source: TestInstallation): Promise<number> {
  const { rows } = await source.client('identity').query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  )
  return rows[0]!.others
}

function flipByte(file: string, at: number): void {
  // A new file, because a link to it in another backup keeps its bytes.
  const bytes = readFileSync(file)
  bytes[at]! ^= 1
  rmSync(file)
  writeFileSync(file, bytes)
}
