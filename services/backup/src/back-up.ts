import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupProblem, explain } from './backup-problem.ts'
import type { Installation } from './config.ts'
import { digestRows, dumpColumn, dumpTable } from './database/copy-table.ts'
import { openSnapshot, type Snapshot } from './database/snapshot.ts'
import { listTables, readMigrations, readSequences } from './database/tables.ts'
import { keyName } from './key-name.ts'
import {
  backupName,
  FORMAT,
  listBackups,
  type Manifest,
  type ObjectsFacts,
  type SchemaFacts,
  syncFolder,
  type TableFacts,
  writeManifest,
} from './manifest.ts'
import { copyObjects } from './objects/copy-objects.ts'
import { openBucket } from './objects/list-bucket.ts'
import { createProgress, type Say, sizeOf } from './progress.ts'
import { BOARD_ROWS, NAMED_OBJECTS, type Schema } from './schemas.ts'
import { tableFile } from './table-file.ts'

export interface BackUp {
  /** Folder with one folder per backup. */
  readonly dir: string
  readonly installation: Installation
  /** Number of whole backups that stay. */
  readonly keep: number
  /** Version of Lapwing, for the manifest. */
  readonly version: string
  readonly say: Say
  /** Gives the backup up. */
  readonly signal: AbortSignal
}

/** Names that are no backup: one that is being made, and one that is being deleted. */
const UNFINISHED = '.part'
const DELETED = '.deleted'

/**
 * Makes a backup and returns its folder. First it dumps all schemas in one snapshot, then it copies the objects that rows
 * of the snapshot name. An object is older than its row and never changes, so only a deletion can come between. The
 * backup has its final name only when all of it is on the disk. Until then the ones before stay as they are.
 */
export async function backUp(options: BackUp): Promise<string> {
  const { dir, installation, keep, version, say, signal } = options
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const startedAt = new Date()
  const name = backupName(startedAt)
  const folder = join(dir, `${name}${UNFINISHED}`)
  const snapshot = await openSnapshot(installation.databases, signal).catch((error: unknown) => {
    throw explain(error, 'No backup was made')
  })
  try {
    await removeRemains(dir)
    const previous = (await listBackups(dir)).at(-1)
    await mkdir(folder, { mode: 0o700 })
    const key = keyName(installation.keyEncryptionKey)
    say(`Backup ${name} of Postgres ${snapshot.postgres}; it needs the key-encryption key ${key}.`)
    const { schemas, boards } = await dumpSchemas(options, snapshot, folder)
    await snapshot.release()
    const objects = await dumpObjects(options, folder, previous === undefined ? null : join(dir, previous))
    const manifest: Manifest = {
      format: FORMAT,
      lapwing: version,
      startedAt: startedAt.toISOString(),
      snapshotAt: snapshot.takenAt.toISOString(),
      finishedAt: new Date().toISOString(),
      postgres: snapshot.postgres,
      keyName: key,
      schemas,
      boards,
      objects,
    }
    signal.throwIfAborted()
    await writeManifest(folder, manifest)
    await rename(folder, join(dir, name))
    await syncFolder(dir)
    const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000)
    say(`Backup ${name} is whole after ${seconds} s.`)
    for (const old of (await listBackups(dir)).slice(0, -keep)) {
      await removeBackup(dir, old)
      say(`Deleted the old backup ${old}.`)
    }
    return join(dir, name)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (signal.aborted) throw new BackupProblem(`Backup ${name} was stopped. The ones before are unchanged.`)
    throw explain(error, `Backup ${name} failed`)
  } finally {
    await snapshot.close()
  }
}

async function dumpSchemas({ installation, say, signal }: BackUp, snapshot: Snapshot, folder: string) {
  const schemas: Partial<Record<Schema, SchemaFacts>> = {}
  for (const schema of installation.databases.keys()) {
    const client = snapshot.client(schema)
    await mkdir(join(folder, schema), { mode: 0o700 })
    const tables: TableFacts[] = []
    for (const table of await listTables(client, schema)) {
      tables.push(await dumpTable(client, table, tableFile(folder, schema, table.name), signal))
    }
    const [sequences, migrations] = [
      await readSequences(client, schema),
      await readMigrations(client, schema),
    ]
    schemas[schema] = { migrations, tables, sequences }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
    say(`${schema}: ${tables.length} tables, ${rows} rows, ${sizeOf(bytes)}`)
  }
  if (installation.bucket === null) return { schemas, boards: null }
  for (const named of NAMED_OBJECTS) {
    await dumpColumn(snapshot.client(named.schema), named.keys, keyFile(folder, named.schema), signal)
  }
  const boards = await digestRows(snapshot.client('leaderboard'), BOARD_ROWS, signal)
  say(`boards: ${boards.rows} rows, digest ${boards.sha256.slice(0, 16)}`)
  return { schemas, boards }
}

async function dumpObjects(
  { installation, say, signal }: BackUp,
  folder: string,
  previous: string | null,
): Promise<ObjectsFacts | null> {
  if (installation.bucket === null) return null
  const store = openBucket(installation.bucket)
  try {
    const keyFiles = NAMED_OBJECTS.map(({ schema }) => keyFile(folder, schema))
    const progress = createProgress(say)
    let fetched = 0
    const facts = await copyObjects({
      ...{ store, folder, keyFiles, previous, signal },
      onProgress(copied) {
        fetched = copied.fetched
        progress(() => `objects: ${copied.objects} so far, ${sizeOf(copied.bytes)}`)
      },
    })
    for (const file of keyFiles) await rm(file)
    say(`objects: ${facts.count}, ${sizeOf(facts.bytes)}; ${fetched} of them are new in this folder`)
    if (facts.missing > 0) say(`objects: ${facts.missing} were deleted before they were copied`)
    return facts
  } finally {
    store.close()
  }
}

function keyFile(folder: string, schema: Schema): string {
  return join(folder, `keys-of-${schema}.txt`)
}

/** Removes what interrupted runs have left. The lock of the snapshot keeps a second run away. */
async function removeRemains(dir: string): Promise<void> {
  for (const entry of await readdir(dir)) {
    if (!entry.endsWith(UNFINISHED) && !entry.endsWith(DELETED)) continue
    await rm(join(dir, entry), { recursive: true, force: true })
  }
}

/** Takes the name away first, so that a half-deleted backup is never taken for a whole one. */
async function removeBackup(dir: string, name: string): Promise<void> {
  const deleted = join(dir, `${name}${DELETED}`)
  await rename(join(dir, name), deleted)
  await rm(deleted, { recursive: true, force: true })
}
