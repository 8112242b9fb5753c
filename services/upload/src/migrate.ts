import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadDatabaseConfig } from './config.ts'

/** `npm run migrate`: brings schema `upload` up to date. Exits non-zero if it fails. */
await runMigrations(
  'upload',
  join(import.meta.dirname, '../migrations'),
  loadDatabaseConfig(process.env).databaseUrl,
)
