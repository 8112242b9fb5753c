import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When a moderator decided. A closed report stays, so that its account cannot repeat it.
  await sql`alter table lap_report add column closed_at timestamptz`.execute(db)
}
