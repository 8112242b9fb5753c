import { type Kysely, sql } from 'kysely'

/** Few laps are not shared, so a page looks them up here: its index of entries stays as narrow as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table unshared_lap (lap_id uuid primary key)`.execute(db)
}
