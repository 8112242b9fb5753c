import { join } from 'node:path'
import { createDb, runMigrations } from '@lapwing/db'
import { loadDatabaseConfig } from './config.ts'
import type { Database } from './database.ts'
import { renewStandings } from './standings/standing.repository.ts'

/**
 * `npm run migrate`: brings schema `ingest` up to date; exits non-zero when it cannot. With `--publish-standings` the
 * workers then publish all standings to leaderboard again.
 */
const { databaseUrl } = loadDatabaseConfig(process.env)
await runMigrations('ingest', join(import.meta.dirname, '../migrations'), databaseUrl)
if (process.argv.includes('--publish-standings')) {
  const db = createDb<Database>({ url: databaseUrl.href, schema: 'ingest', poolSize: 1 })
  try {
    console.log(`ingest: ${await renewStandings(db)} standings will be sent to leaderboard`)
  } finally {
    await db.destroy()
  }
}
