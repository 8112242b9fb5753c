import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A keyed digest. Null for older reports, which then count as reports of one network.
  await sql`alter table lap_report add column network bytea`.execute(db)
}
