import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the lap began, by the date of its file. Null if the file has none, and for older laps.
  await sql`alter table lap add column driven_at timestamptz`.execute(db)
}
