import { type Kysely, sql } from 'kysely'

/** Publishes standings again if a lap in them cannot be a reference: boards show that now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update standing set version = version + 1, push_after = now()
    where exists (select from lap where lap.id in (standing.complete_lap_id, standing.clean_lap_id)
      and (not lap.reference_allowed or lap.series_key is null))`.execute(db)
}
