import { join } from 'node:path'
import { createDb, runMigrations } from '@lapwing/db'
import { loadMigrationConfig } from './config.ts'
import type { Database } from './database.ts'
import { announceNames } from './usernames/announce-names.ts'

/**
 * `npm run migrate`: brings schema `account` up to date; exits non-zero when it cannot. Where leaderboard
 * is new in the installation, it is told the names there are; with `--announce-names` again.
 */
const config = loadMigrationConfig(process.env)
await runMigrations('account', join(import.meta.dirname, '../migrations'), config.databaseUrl)
if (config.leaderboardUrl !== null) {
  const db = createDb<Database>({ url: config.databaseUrl.href, schema: 'account', poolSize: 1 })
  try {
    const again = process.argv.includes('--announce-names')
    const told = await announceNames(db, { now: () => new Date(), again })
    if (told !== null) console.log(`account: leaderboard will be told ${told} names`)
  } finally {
    await db.destroy()
  }
}
