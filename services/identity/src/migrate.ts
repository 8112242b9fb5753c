import { join } from 'node:path'
import { runMigrations } from '@lapwing/db'
import { loadDatabaseConfig } from './config.ts'

/** `npm run migrate`: migrates schema `identity`; exits non-zero if it fails. */
await runMigrations(
  'identity',
  join(import.meta.dirname, '../migrations'),
  loadDatabaseConfig(process.env).databaseUrl,
)
