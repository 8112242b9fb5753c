import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who was told the names that there were before it wanted to know them.
  await sql`create table names_announced (
    subscriber text primary key,
    announced_at timestamptz not null default now()
  )`.execute(db)
}
