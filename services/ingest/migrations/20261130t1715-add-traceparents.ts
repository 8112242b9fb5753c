import { type Kysely, sql } from 'kysely'

/** W3C `traceparent` of the request that made the ingest, for its jobs; null without traces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ingest add column traceparent text`.execute(db)
}
