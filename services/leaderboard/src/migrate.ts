import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadStoreConfig } from './config.ts'

/** `npm run migrate`: brings schema `leaderboard` up to date. Exits non-zero if it fails. */
await runMigrations(
  'leaderboard',
  join(import.meta.dirname, '../migrations'),
  loadStoreConfig(process.env).databaseUrl,
)
