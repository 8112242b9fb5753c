import { createDb, type DbOptions, migrateToLatest } from '@lapwing/db'
import { createLogger } from '@lapwing/http'
import { preparedDatabase, type TestDatabase } from '@lapwing/testing/test-database.ts'
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
  const migrate = async ({ url }: TestDatabase) => {
    const db = createDb<unknown>({ url, schema: service, poolSize: 1 })
    try {
      await migrateToLatest(db, { folder: migrations, schema: service })
    } finally {
      await db.destroy()
    }
  }
  if (given !== undefined) {
    await migrate(given).catch(async error => {
      await given.drop()
      throw error
    })
  }
  const database = given ?? (await preparedDatabase(migrations, [service], migrate))
  const db = createDb<Schema>({ url: database.url, schema: service, poolSize: 20, ...options })
  return {
    db,
    database,
    async close() {
      await db.destroy()
      await database.drop()
    },
  }
}
