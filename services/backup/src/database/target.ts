import type pg from 'pg'
import type { Schema } from '../schemas.ts'
import { APPLICATION } from './connect.ts'

/** Returns whether the schema has tables or views. */
export async function isFilled(client: pg.Client, schema: Schema): Promise<boolean> {
  const { rows } = await client.query<{ is_filled: boolean }>(
    'select exists (select from pg_class where relnamespace = to_regnamespace($1)) as is_filled',
    [schema],
  )
  return rows[0]!.is_filled
}

/** Returns the names of the programs that use the database with this role, beside backups and restores. */
export async function listSessions(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ program: string }>(
    `select distinct coalesce(nullif(application_name, ''), 'an unnamed program') as program from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name <> $1
      and backend_type = 'client backend'`,
    [APPLICATION],
  )
  return rows.map(({ program }) => program)
}
