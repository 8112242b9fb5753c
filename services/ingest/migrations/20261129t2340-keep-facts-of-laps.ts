import { type Kysely, sql } from 'kysely'

/**
 * Stores the session kind and the conditions of a lap. Null if the file does not state them, and for older laps. The
 * boards show when a lap was driven, so standings with laps that have it are published again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lap
    add column session_kind text,
    -- °C at the start.
    add column air_temp_c real,
    -- 0 Clear to 3 Overcast.
    add column skies smallint,
    -- Not valid: older laps have nulls, and a check of each of them would keep the table locked.
    add constraint lap_session_kind_check check (session_kind in
      ('testing', 'practice', 'qualifying', 'warmup', 'race', 'time_trial')) not valid,
    add constraint lap_skies_check check (skies between 0 and 3) not valid`.execute(db)
  // For the list of laps that open again.
  await sql`create index lap_openable on lap (user_id, recorded_at, id)
    where series_key is not null and deleted_at is null`.execute(db)
  await sql`update standing set version = version + 1, push_after = now()
    where version > 0 and exists (select from lap
      where lap.id in (standing.complete_lap_id, standing.clean_lap_id) and driven_at is not null)`.execute(
    db,
  )
}
