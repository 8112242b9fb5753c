import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadStoreConfig } from './config.ts'

/** `npm run migrate`: brings schema `leaderboard` up to date; exits non-zero when it cannot. */
await runMigrations(
  'leaderboard',
  join(import.meta.dirname, '../migrations'),
  loadStoreConfig(process.env).databaseUrl,
)
