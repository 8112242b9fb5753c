import { join } from 'node:path'
import { createDb, migrateToLatest } from '@lapwing/db'
import { loadConfig } from './config.ts'

/** `npm run migrate`: brings schema `identity` up to date; exits non-zero when it cannot. */
const config = loadConfig(process.env)
const db = createDb<unknown>({
  url: config.databaseUrl.href,
  schema: 'identity',
  poolSize: 1,
  statementWithinMs: 600_000,
})
try {
  const ran = await migrateToLatest(db, {
    folder: join(import.meta.dirname, '../migrations'),
    schema: 'identity',
  })
  console.log(ran.length === 0 ? 'identity: up to date' : `identity: ${ran.join(', ')}`)
} finally {
  await db.destroy()
}
