import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/**
 * Migrates a service's schema to its latest version. Forward only; a second run at the same time waits for
 * the first (the migrator's lock). Throws if a migration fails, so that the command exits non-zero.
 *
 * @param folder absolute path of the service's `migrations/`, files named `<timestamp>-<verb>-<noun>.ts`
 * @returns the names of the migrations that ran
 */
export async function migrateToLatest(
  db: Kysely<never> | Kysely<unknown>,
  { folder, schema }: { readonly folder: string; readonly schema: string },
): Promise<readonly string[]> {
  const untyped = db as Kysely<unknown>
  await sql`create schema if not exists ${sql.id(schema)}`.execute(untyped)
  const migrator = new Migrator({
    db: untyped as never,
    provider: { getMigrations: () => loadMigrations(folder) },
    migrationTableSchema: schema,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) {
    const failed = results?.find(result => result.status === 'Error')?.migrationName
    throw new Error(`migration ${failed ?? 'unknown'} of schema ${schema} failed`, { cause: error })
  }
  return (results ?? []).map(result => result.migrationName)
}

async function loadMigrations(folder: string): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {}
  for (const file of (await readdir(folder)).filter(name => name.endsWith('.ts')).sort()) {
    migrations[file.replace(/\.ts$/, '')] = (await import(
      pathToFileURL(join(folder, file)).href
    )) as Migration
  }
  return migrations
}
