import { type Kysely, sql } from 'kysely'

/**
 * Stores the session kind and the conditions of a lap. Null if the file does not state them, and for older laps.
 * `src/migrate.ts --publish-standings` sends these to the boards.
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
}
