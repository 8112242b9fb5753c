import { createDb } from './create-db.ts'
import { migrateToLatest } from './migrate.ts'

/**
 * Runs a service's `npm run migrate`: migrates its schema and prints the migrations that ran, and
 * those of a later version. Throws on failure, so that the command exits non-zero.
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
    const { ran, later } = await migrateToLatest(db, { folder, schema: service })
    console.log(ran.length === 0 ? `${service}: up to date` : `${service}: ${ran.join(', ')}`)
    if (later.length > 0) {
      console.log(`${service}: a later version ran ${later.join(', ')}; this version works with that`)
    }
  } finally {
    await db.destroy()
  }
}
