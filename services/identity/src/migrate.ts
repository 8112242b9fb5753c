import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadDatabaseConfig } from './config.ts'

/** `npm run migrate`: brings schema `identity` up to date; exits non-zero when it cannot. */
await runMigrations(
  'identity',
  join(import.meta.dirname, '../migrations'),
  loadDatabaseConfig(process.env).databaseUrl,
)
