import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The corners that one driver's laps show of a track: at most one row a driver and track.
  await sql`create table track_sighting (
    track_id integer not null references combination,
    user_id text not null,
    -- The fastest of those laps. If it does not count any more, neither does the row.
    lap_id uuid not null,
    length_m double precision,
    corners jsonb not null,
    -- The corners of the track were refined with it.
    is_counted boolean not null default false,
    primary key (track_id, user_id)
  )`.execute(db)
  await sql`create index track_sighting_user on track_sighting (user_id)`.execute(db)
  await sql`create index track_sighting_new on track_sighting (track_id) where not is_counted`.execute(db)
  // The corners of a track, with ids and numbers that stay (D-28).
  await sql`create table track_corners (
    track_id integer primary key references combination,
    version integer not null default 0,
    length_m double precision,
    corners jsonb not null default '[]',
    -- The id of the next new corner: no id is given twice.
    next_id integer not null default 1,
    -- The lap of the only driver who has shown these corners so far; null once a second driver shows them.
    founder_lap_id uuid
  )`.execute(db)
  await sql`create index track_corners_founder on track_corners (founder_lap_id)
    where founder_lap_id is not null`.execute(db)
}
