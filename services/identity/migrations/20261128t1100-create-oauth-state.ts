import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a round trip to a provider began with, once it is over; the flow itself is in the browser.
  await sql`create table oauth_state (
    state_hash bytea primary key,
    used_at timestamptz not null
  )`.execute(db)
  await sql`create index oauth_state_used on oauth_state (used_at)`.execute(db)
}
