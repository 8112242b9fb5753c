import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row for each set of names that files gave a track and a car. Rows of one track share its track_id, and
  // rows of one track and car their board_id. Both are the id of the first such row.
  await sql`create table combination (
    id integer generated always as identity primary key,
    track_id integer not null,
    board_id integer not null,
    sim text not null,
    track_slug text not null,
    layout text not null,
    car_slug text not null,
    track_label text not null,
    car_label text not null,
    sim_track_id integer not null,
    sim_car_id integer,
    created_at timestamptz not null default now(),
    constraint combination_names unique (sim, track_slug, layout, car_slug, sim_track_id)
  )`.execute(db)
  await sql`create index combination_track_number on combination (sim, sim_track_id, layout)`.execute(db)
  await sql`create index combination_board on combination (track_id, car_slug)`.execute(db)

  // The content of a file belongs to the account that brought it first (D-11).
  await sql`create table file (
    sha256 bytea primary key,
    user_id text not null,
    ingest_id uuid not null references ingest,
    created_at timestamptz not null default now()
  )`.execute(db)
  await sql`create index file_user on file (user_id)`.execute(db)
  await sql`create table sim_driver (
    sim text not null,
    sim_user_id text not null,
    user_id text not null,
    created_at timestamptz not null default now(),
    primary key (sim, sim_user_id)
  )`.execute(db)
  await sql`create index sim_driver_user on sim_driver (user_id)`.execute(db)
  // For a moderator: which account brought what belongs to another one (D-11).
  await sql`create table conflict (
    id bigint generated always as identity primary key,
    kind text not null constraint conflict_kind check (kind in ('file', 'driver')),
    ingest_id uuid not null,
    user_id text not null,
    owner_user_id text not null,
    sha256 bytea not null,
    sim_user_id text,
    created_at timestamptz not null default now()
  )`.execute(db)

  await sql`create table lap (
    id uuid primary key,
    ingest_id uuid not null references ingest,
    user_id text not null,
    board_id integer not null,
    combination_id integer not null references combination,
    lap_no integer not null,
    time_ms integer,
    time_source text constraint lap_time_source check (time_source in ('official', 'interpolated')),
    is_completed boolean not null,
    is_clean boolean not null,
    -- May stand on a board.
    counts boolean not null,
    reasons text[] not null,
    recorded_at timestamptz not null default clock_timestamp(),
    reference_allowed boolean not null default true,
    -- The object that holds its series, and the SHA-256 of the object's bytes; null where none are kept.
    series_key text,
    series_hash text,
    -- The row stays, so that deleting it again answers the same; what it said of the lap does not.
    deleted_at timestamptz
  )`.execute(db)
  await sql`create index lap_newest on lap (user_id, recorded_at, id) where deleted_at is null`.execute(db)
  // The order of a board (D-8).
  await sql`create index lap_fastest on lap (user_id, board_id, time_ms, recorded_at, id) include (is_clean)
    where counts and deleted_at is null`.execute(db)
  await sql`create index lap_ingest on lap (ingest_id)`.execute(db)
  await sql`create unique index lap_series on lap (series_key) where series_key is not null`.execute(db)
}
