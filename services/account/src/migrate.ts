import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadConfig } from './config.ts'

/** `npm run migrate`: brings schema `account` up to date; exits non-zero when it cannot. */
await runMigrations(
  'account',
  join(import.meta.dirname, '../migrations'),
  loadConfig(process.env).databaseUrl,
)
