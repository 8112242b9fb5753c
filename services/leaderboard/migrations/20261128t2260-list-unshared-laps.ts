import { type Kysely, sql } from 'kysely'

/** Lists unshared laps. They are few, so a lookup here is cheaper than a wider index of entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table unshared_lap (lap_id uuid primary key)`.execute(db)
}
