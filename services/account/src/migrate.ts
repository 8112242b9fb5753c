import { join } from 'node:path'
import { createDb, runMigrations } from '@lapwing/db'
import { loadMigrationConfig } from './config.ts'
import type { Database } from './database.ts'
import { announceNames } from './usernames/announce-names.ts'

/**
 * `npm run migrate`: migrates schema `account`; exits non-zero if it fails. If leaderboard is new in the
 * installation, publishes all usernames to it. `--announce-names` publishes them again.
 */
const config = loadMigrationConfig(process.env)
await runMigrations('account', join(import.meta.dirname, '../migrations'), config.databaseUrl)
if (config.leaderboardUrl !== null) {
  const db = createDb<Database>({ url: config.databaseUrl.href, schema: 'account', poolSize: 1 })
  try {
    const again = process.argv.includes('--announce-names')
    const names = await announceNames(db, { now: () => new Date(), again })
    if (names !== null) console.log(`account: ${names} usernames will be sent to leaderboard`)
  } finally {
    await db.destroy()
  }
}
