import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Files of two tracks can claim the same names and number; only the location separates such tracks.
  await sql`alter table combination drop constraint combination_names`.execute(db)
  await sql`alter table combination add constraint combination_names
    unique (sim, track_slug, layout, car_slug, sim_track_id, track_id)`.execute(db)
  // The vote was counted together with the other votes for the track.
  await sql`alter table track_witness add column is_counted boolean not null default false`.execute(db)
  await sql`create index track_witness_new on track_witness (track_id) where not is_counted`.execute(db)
  await sql`create index standing_board on standing (board_id, user_id)`.execute(db)
}
