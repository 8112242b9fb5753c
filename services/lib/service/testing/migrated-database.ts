import { createDb, type DbOptions, migrateToLatest } from '@lapwing/db'
import { createLogger } from '@lapwing/http'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import type { Kysely } from 'kysely'

export const silentLogger = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent')

export interface MigratedDatabase<Schema> {
  readonly db: Kysely<Schema>
  readonly database: TestDatabase
  /** Ends the connections and drops the database. */
  close(): Promise<void>
}

/**
 * Migrates a new database, or the given one, to the service's latest migration.
 *
 * @param migrations absolute path of the service's `migrations/`
 */
export async function migratedDatabase<Schema>(
  service: string,
  migrations: string,
  options: Partial<Omit<DbOptions, 'url' | 'schema'>> = {},
  given?: TestDatabase,
): Promise<MigratedDatabase<Schema>> {
  const database = given ?? (await testDatabase(service))
  const db = createDb<Schema>({ url: database.url, schema: service, poolSize: 20, ...options })
  const close = async () => {
    await db.destroy()
    await database.drop()
  }
  try {
    await migrateToLatest(db as never, { folder: migrations, schema: service })
  } catch (error) {
    await close()
    throw error
  }
  return { db, database, close }
}
