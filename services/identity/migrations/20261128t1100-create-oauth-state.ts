import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // States of finished round trips to a provider. The flow itself is stored in the browser.
  await sql`create table oauth_state (
    state_hash bytea primary key,
    used_at timestamptz not null
  )`.execute(db)
  await sql`create index oauth_state_used on oauth_state (used_at)`.execute(db)
}
