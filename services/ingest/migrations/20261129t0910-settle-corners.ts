import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // No account that can vote has shown the corners: the first that does replaces them.
  await sql`alter table track_corners add column is_provisional boolean not null default true`.execute(db)
  // Drivers know the ids of these corners, so they stay.
  await sql`update track_corners set is_provisional = false
    where corners <> '[]' and (founder_lap_id is null or exists (
      select from lap join person on person.user_id = lap.user_id
      where lap.id = track_corners.founder_lap_id and person.can_vote))`.execute(db)
  await sql`update track_sighting set is_counted = false`.execute(db)
}
