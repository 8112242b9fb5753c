import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrationNames } from './schema-check.ts'
import { UNFINISHED_RESTORE } from './unfinished-restore.ts'

export interface Migrated {
  /** Names of the migrations that ran, in their order. */
  readonly ran: readonly string[]
  /** Names of the migrations of a later version that ran before. */
  readonly later: readonly string[]
}

/**
 * A migration may name an index of a large table. It is created after all migrations and outside of their transaction,
 * so that the version before can write the table meanwhile.
 */
interface OwnMigration extends Migration {
  readonly concurrentIndex?: {
    readonly name: string
    /** What follows `on`: the table, its columns and a condition. */
    readonly on: string
  }
}

/**
 * Migrates a service's schema to its latest version. Forward only; a second run at the same time waits for
 * the first (the migrator's lock). Accepts a schema that a later version has migrated and changes nothing in
 * it, because each version runs on the next schema. Throws if a migration fails, so that the command exits
 * non-zero. Throws too if the schema has migrations that are neither of this version nor later, and if a restore of
 * the schema has not ended.
 *
 * @param folder absolute path of the service's `migrations/`, files named `<timestamp>-<verb>-<noun>.ts`
 * @param upTo name of the last migration to run; only for the restore, which loads data of that version
 */
export async function migrateToLatest(
  db: Kysely<never> | Kysely<unknown>,
  { folder, schema, upTo }: { readonly folder: string; readonly schema: string; readonly upTo?: string },
): Promise<Migrated> {
  const untyped = db as Kysely<unknown>
  await sql`create schema if not exists ${sql.id(schema)}`.execute(untyped)
  if (upTo === undefined) await requireNoRestore(untyped, schema)
  const own = await loadMigrations(folder, upTo)
  const later = (await executedNames(untyped, schema)).filter(name => !(name in own))
  const last = Object.keys(own).at(-1) ?? ''
  const foreign = later.find(name => name < last)
  if (foreign !== undefined) {
    throw new Error(
      `schema ${schema} has the migration ${foreign}, which this version lacks though its own are later: ` +
        'the database belongs to another line of versions',
    )
  }
  const migrator = new Migrator({
    db: untyped as never,
    // The migrator refuses a schema with migrations that it does not know.
    provider: {
      getMigrations: async () => ({ ...own, ...Object.fromEntries(later.map(name => [name, ALREADY_RAN])) }),
    },
    migrationTableSchema: schema,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) {
    const failed = results?.find(result => result.status === 'Error')?.migrationName
    const why = later.length === 0 ? '' : `; a later version ran ${later.join(', ')}`
    throw new Error(`migration ${failed ?? 'unknown'} of schema ${schema} failed${why}`, { cause: error })
  }
  if (later.length === 0) {
    const indexes = Object.values(own).flatMap(migration => migration.concurrentIndex ?? [])
    for (const index of indexes) await createIndex(untyped, schema, index)
  }
  return { ran: (results ?? []).map(result => result.migrationName), later }
}

/** Key of the lock of all that create such indexes. */
const LOCK = sql.lit(5_311_714_021)
const LOCK_RETRY_MS = 200

/**
 * Creates an index while others write the table, unless it is there. Replaces an invalid one, which a run leaves that
 * ends too early. Asks for the lock again and again: a waiting statement has a snapshot, and PostgreSQL completes such an
 * index only after all older snapshots have ended.
 */
function createIndex(
  db: Kysely<unknown>,
  schema: string,
  { name, on }: NonNullable<OwnMigration['concurrentIndex']>,
): Promise<void> {
  return db.connection().execute(async connection => {
    const isMine = async () => {
      const { rows } = await sql<{
        is_mine: boolean
      }>`select pg_try_advisory_lock(${LOCK}) as is_mine`.execute(connection)
      return rows[0]!.is_mine
    }
    while (!(await isMine())) await setTimeout(LOCK_RETRY_MS)
    try {
      const { rows } = await sql<{ is_valid: boolean }>`select indisvalid as is_valid from pg_index
        where indexrelid = to_regclass(${`${schema}.${name}`})`.execute(connection)
      if (rows[0]?.is_valid) return
      if (rows[0]) await sql`drop index concurrently ${sql.id(schema, name)}`.execute(connection)
      await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(connection)
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
    }
  })
}

const ALREADY_RAN: Migration = { up: () => Promise.reject(new Error('it ran already')) }

async function executedNames(db: Kysely<unknown>, schema: string): Promise<readonly string[]> {
  const table = sql.table(`${schema}.kysely_migration`)
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as exists`.execute(db)
  if (!found[0]!.exists) return []
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The services would take incomplete data for the whole. */
async function requireNoRestore(db: Kysely<unknown>, schema: string): Promise<void> {
  const { rows } = await sql<{ comment: string | null }>`
    select obj_description(to_regnamespace(${schema})::oid, 'pg_namespace') as comment`.execute(db)
  if (rows[0]!.comment === UNFINISHED_RESTORE) {
    throw new Error(`a restore of schema ${schema} has not ended: run the restore again`)
  }
}

async function loadMigrations(folder: string, upTo?: string): Promise<Record<string, OwnMigration>> {
  const migrations: Record<string, OwnMigration> = {}
  for (const name of migrationNames(folder)) {
    if (upTo !== undefined && name > upTo) break
    migrations[name] = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as OwnMigration
  }
  return migrations
}
