import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Where the lap was driven: its line in degrees, its length in metres. Null unless the file has all three.
  await sql`alter table lap add column line_lat double precision, add column line_lon double precision,
    add column length_m double precision`.execute(db)
  // Each driver's vote for a track without a location yet; that of their last file counts.
  await sql`create table track_witness (
    track_id integer not null references combination,
    user_id text not null,
    lat double precision not null,
    lon double precision not null,
    length_m double precision not null,
    primary key (track_id, user_id)
  )`.execute(db)
  await sql`create index track_witness_user on track_witness (user_id)`.execute(db)
  // The location of a track, once enough drivers agree or a moderator has decided.
  await sql`create table track_place (
    track_id integer primary key references combination,
    lat double precision not null,
    lon double precision not null,
    length_m double precision not null,
    agreed_at timestamptz not null default now(),
    -- Laps from before it were looked at.
    is_applied boolean not null default false
  )`.execute(db)
  await sql`create index track_place_open on track_place (track_id) where not is_applied`.execute(db)
}
