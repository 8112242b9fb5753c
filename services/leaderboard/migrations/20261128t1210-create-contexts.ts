import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table track (
    id integer generated always as identity primary key,
    sim text not null,
    slug text not null,
    layout text not null,
    label text not null,
    -- The simulator's own number, of the session that brought the track.
    sim_track_id integer,
    created_at timestamptz not null default now(),
    constraint track_number unique (sim, sim_track_id, layout)
  )`.execute(db)
  // All names of a track, including its own: a track that is renamed or scanned again keeps its boards (D-4).
  await sql`create table track_name (
    sim text not null,
    slug text not null,
    layout text not null,
    track_id integer not null references track,
    primary key (sim, slug, layout)
  )`.execute(db)
  await sql`create table context (
    id integer generated always as identity primary key,
    track_id integer not null references track,
    car_slug text not null,
    car_label text not null,
    sim_car_id integer,
    created_at timestamptz not null default now(),
    constraint context_of unique (track_id, car_slug)
  )`.execute(db)
}
