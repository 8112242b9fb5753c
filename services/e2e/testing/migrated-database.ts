import { join } from 'node:path'
import { createDb, migrateToLatest } from '@lapwing/db'
import { type SharedTestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'

/** Creates a database with the tables of these services. */
export async function migratedDatabase(services: readonly string[]): Promise<SharedTestDatabase> {
  const [first, ...further] = services
  const database = await testDatabase(first!, ...further)
  try {
    for (const service of services) {
      const db = createDb<unknown>({ url: database.urlOf(service), schema: service, poolSize: 1 })
      try {
        await migrateToLatest(db, { folder: join(servicesDir, service, 'migrations'), schema: service })
      } finally {
        await db.destroy()
      }
    }
    return database
  } catch (error) {
    await database.drop()
    throw error
  }
}

const servicesDir = join(import.meta.dirname, '../..')
