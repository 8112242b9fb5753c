import { type Kysely, sql } from 'kysely'

/** Boards show which laps can be references: leaderboard has to learn of those that could not before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update standing set version = version + 1, push_after = now()
    where exists (select from lap where lap.id in (standing.complete_lap_id, standing.clean_lap_id)
      and (not lap.reference_allowed or lap.series_key is null))`.execute(db)
}
