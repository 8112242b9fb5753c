import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Numbers whose owner answered STOP, and not START since then. Digests of channel and number, because most
  // belong to no account.
  await sql`create table text_stop (
    digest bytea primary key,
    stopped_at timestamptz not null
  )`.execute(db)
}
