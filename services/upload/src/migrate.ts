import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadDatabaseConfig } from './config.ts'

/** `npm run migrate`: brings schema `upload` up to date; exits non-zero when it cannot. */
await runMigrations(
  'upload',
  join(import.meta.dirname, '../migrations'),
  loadDatabaseConfig(process.env).databaseUrl,
)
