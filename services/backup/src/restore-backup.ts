import { createDb, isRestoreUnfinished, markRestore, migrateToLatest, migrationNames } from '@lapwing/db'
import { Redis } from 'ioredis'
import type pg from 'pg'
import { BackupProblem, explain } from './backup-problem.ts'
import { requireKey } from './check-backup.ts'
import type { Installation } from './config.ts'
import { connect } from './database/connect.ts'
import { checkFile, digestRows, loadTable } from './database/copy-table.ts'
import { isFilled, listSessions } from './database/target.ts'
import { type Manifest, readManifest, type SchemaFacts } from './manifest.ts'
import { listBucket, openBucket } from './objects/list-bucket.ts'
import { indexFile } from './objects/object-index.ts'
import { returnObjects } from './objects/return-objects.ts'
import { createProgress, type Say, sizeOf } from './progress.ts'
import { BOARD_ROWS, GIVE_UP_MESSAGES, migrationsOf, type Schema } from './schemas.ts'
import { tableFile } from './table-file.ts'

export interface RestoreBackup {
  /** Folder of the backup. */
  readonly folder: string
  readonly installation: Installation
  /** Redis servers to empty. */
  readonly redisUrls: readonly URL[]
  /** Replaces what the target holds. */
  readonly isReplacing: boolean
  /** Sends mails and texts that waited at the backup. Only if the installation was stopped before it, and stayed so. */
  readonly isSendingMessages: boolean
  /** Accepts another key-encryption key, because the one of the backup is lost. */
  readonly isKeyLost: boolean
  readonly say: Say
  readonly signal: AbortSignal
}

/**
 * Restores a backup into databases and a bucket that no service uses. Everything is checked before anything changes: the
 * key, the versions, and that the target is empty. While the restore runs, the schemas cannot be migrated; a restore that
 * was interrupted is run again. In the end the boards must have the digest of the backup.
 */
export async function restoreBackup(options: RestoreBackup): Promise<void> {
  const { folder, installation, say, signal } = options
  const manifest = await readManifest(folder)
  if (!options.isKeyLost) requireKey(manifest, installation.keyEncryptionKey)
  requireVersions(manifest)
  requireSameParts(manifest, installation)
  if (manifest.objects !== null) await checkFile(indexFile(folder), manifest.objects.index, signal)
  const startedMs = Date.now()
  const clients = new Map<Schema, pg.Client>()
  // Also ends a statement that runs.
  const close = async () => {
    await Promise.all([...clients.values()].map(client => client.end().catch(() => undefined)))
  }
  const store = installation.bucket === null ? null : openBucket(installation.bucket)
  try {
    signal.addEventListener('abort', close, { once: true })
    for (const [schema, url] of installation.databases) clients.set(schema, await connect(schema, url))
    await requireTarget(options, clients, store)
    say(`Restoring the data of ${manifest.snapshotAt}.`)
    for (const [schema, client] of clients) await emptySchema(client, schema)
    for (const [schema, client] of clients) {
      const rows = await loadSchema(options, client, schema, manifest.schemas[schema]!)
      say(`${schema}: ${rows} rows`)
    }
    if (store !== null) {
      const progress = createProgress(say)
      const returned = await returnObjects(folder, store, {
        signal,
        onProgress: ({ objects, bytes }) =>
          progress(() => `objects: ${objects} of ${manifest.objects!.count}, ${sizeOf(bytes)}`),
      })
      say(`objects: ${returned.objects}, ${sizeOf(returned.bytes)}; ${returned.present} of them were there`)
      if (returned.renamed > 0) {
        say(
          `objects: the store gave ${returned.renamed} of them other ETags. Files not judged yet must be sent again.`,
        )
      }
      await requireBoards(clients.get('leaderboard')!, manifest, signal)
    }
    for (const url of options.redisUrls) await emptyRedis(url)
    for (const [schema, client] of clients) await markRestore(client, schema, false)
    const seconds = Math.round((Date.now() - startedMs) / 1_000)
    const then = options.isKeyLost
      ? 'follow charts/runbooks/key-loss.md'
      : 'start the services: they migrate first'
    say(`Restored after ${seconds} s. Now ${then}.`)
  } catch (error) {
    if (signal.aborted) {
      throw new BackupProblem(
        'The restore was stopped. Run it again; until then no schema that it began can be used.',
      )
    }
    throw explain(error, 'The restore failed')
  } finally {
    store?.close()
    await close()
  }
}

/** Throws a sentence if a schema of the backup has migrations that this version lacks, or skipped one of its own. */
function requireVersions(manifest: Manifest): void {
  for (const [schema, { migrations }] of Object.entries(manifest.schemas)) {
    const own = migrationNames(migrationsOf(schema as Schema))
    const unknown = migrations.filter(name => !own.includes(name))
    if (unknown.length > 0) {
      throw new BackupProblem(
        `The backup is of a newer Lapwing (${manifest.lapwing}): its schema ${schema} has ${unknown.join(', ')}. ` +
          'Restore it with that version or a later one.',
      )
    }
    const skipped = own.filter(name => name < migrations.at(-1)! && !migrations.includes(name))
    if (skipped.length > 0) {
      throw new BackupProblem(
        `The schema ${schema} of the backup lacks ${skipped.join(', ')}: it is of another line.`,
      )
    }
  }
}

/** Throws a sentence if backup and target do not both have boards, or both none. */
function requireSameParts(manifest: Manifest, { databases }: Installation): void {
  const lacking = Object.keys(manifest.schemas).filter(schema => !databases.has(schema as Schema))
  const unfilled = [...databases.keys()].filter(schema => manifest.schemas[schema] === undefined)
  if (lacking.length > 0)
    throw new BackupProblem(`The backup has ${lacking.join(', ')}; name their databases too.`)
  if (unfilled.length > 0)
    throw new BackupProblem(`The backup does not have ${unfilled.join(', ')}. Name no database for them.`)
}

async function requireTarget(
  { isReplacing, signal }: RestoreBackup,
  clients: ReadonlyMap<Schema, pg.Client>,
  store: ReturnType<typeof openBucket> | null,
): Promise<void> {
  for (const [schema, client] of clients) {
    const programs = await listSessions(client)
    if (programs.length > 0) {
      throw new BackupProblem(
        `The database of ${schema} is in use by ${programs.join(', ')}. Stop the services first.`,
      )
    }
  }
  if (isReplacing) return
  let isContinued = false
  for (const [schema, client] of clients) {
    if (await isRestoreUnfinished(client, schema)) isContinued = true
    else if (await isFilled(client, schema)) {
      throw new BackupProblem(
        `The schema ${schema} is not empty. A restore deletes it only if you tell it to replace.`,
      )
    }
  }
  // The bucket then has what the interrupted restore has put there.
  if (store === null || isContinued) return
  for await (const { key } of listBucket(store, signal)) {
    throw new BackupProblem(
      `The bucket is not empty (${key}). A restore uses it only if you tell it to replace.`,
    )
  }
}

/** Replaces the schema by an empty one, marked as unfinished. */
async function emptySchema(client: pg.Client, schema: Schema): Promise<void> {
  await client.query('begin')
  await client.query(`drop schema if exists ${client.escapeIdentifier(schema)} cascade`)
  await client.query(`create schema ${client.escapeIdentifier(schema)}`)
  await markRestore(client, schema, true)
  await client.query('commit')
}

/** Migrates the schema to the version of the backup and loads its rows, all of them or none. Returns their number. */
async function loadSchema(
  { folder, installation, isSendingMessages, signal }: RestoreBackup,
  client: pg.Client,
  schema: Schema,
  { migrations, tables, sequences }: SchemaFacts,
): Promise<number> {
  const db = createDb<unknown>({
    url: installation.databases.get(schema)!.href,
    schema,
    poolSize: 1,
    statementWithinMs: 600_000,
  })
  try {
    await migrateToLatest(db, { folder: migrationsOf(schema), schema, upTo: migrations.at(-1)! })
  } finally {
    await db.destroy()
  }
  await client.query('begin')
  const names = tables.map(({ name }) => client.escapeIdentifier(name))
  // A migration can have inserted rows, which the backup has too.
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`)
  for (const table of tables) await loadTable(client, table, tableFile(folder, schema, table.name), signal)
  for (const [name, value] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), value])
  }
  if (schema === 'identity' && !isSendingMessages) {
    for (const { name } of tables) {
      const statement = GIVE_UP_MESSAGES.get(name)
      if (statement !== undefined) await client.query(statement)
    }
  }
  await client.query('commit')
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

async function requireBoards(client: pg.Client, { boards }: Manifest, signal: AbortSignal): Promise<void> {
  const { rows, sha256 } = await digestRows(client, BOARD_ROWS, signal)
  if (sha256 === boards!.sha256) return
  throw new BackupProblem(`The boards differ from the backup: ${rows} rows instead of ${boards!.rows}.`)
}

/** Its caches and its queue are of the data before. The services fill both again from the database. */
async function emptyRedis(url: URL): Promise<void> {
  const redis = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 60_000,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.flushdb()
  } catch (error) {
    throw new BackupProblem(`Redis at ${url.host} could not be emptied: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    redis.disconnect()
  }
}
