import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Subscribers that have received the names from before their installation.
  await sql`create table names_announced (
    subscriber text primary key,
    announced_at timestamptz not null default now()
  )`.execute(db)
}
