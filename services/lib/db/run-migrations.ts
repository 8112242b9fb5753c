import { createDb } from './create-db.ts'
import { migrateToLatest } from './migrate.ts'

/**
 * What a service's `npm run migrate` does: brings its schema up to date and says what ran. Throws when
 * it cannot, so that the command exits non-zero.
 *
 * @param service name of the service and of its schema
 * @param folder absolute path of its `migrations/`
 */
export async function runMigrations(service: string, folder: string, databaseUrl: URL): Promise<void> {
  const db = createDb<unknown>({
    url: databaseUrl.href,
    schema: service,
    poolSize: 1,
    statementWithinMs: 600_000,
  })
  try {
    const ran = await migrateToLatest(db, { folder, schema: service })
    console.log(ran.length === 0 ? `${service}: up to date` : `${service}: ${ran.join(', ')}`)
  } finally {
    await db.destroy()
  }
}
