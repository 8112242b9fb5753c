import { join } from 'node:path'
import { createDb, migrateToLatest } from '@lapwing/db'
import { preparedDatabase, type SharedTestDatabase } from '@lapwing/testing/test-database.ts'

/** Creates a database with the tables of these services. */
export function migratedDatabase(services: readonly string[]): Promise<SharedTestDatabase> {
  return preparedDatabase(`services ${services.join()}`, services, async ({ urlOf }) => {
    for (const service of services) {
      const db = createDb<unknown>({ url: urlOf(service), schema: service, poolSize: 1 })
      try {
        await migrateToLatest(db, { folder: join(servicesDir, service, 'migrations'), schema: service })
      } finally {
        await db.destroy()
      }
    }
  })
}

const servicesDir = join(import.meta.dirname, '../..')
