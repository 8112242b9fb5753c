import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the lap began, by the date of its file. Null where the file has none, and for laps of before.
  await sql`alter table lap add column driven_at timestamptz`.execute(db)
}
