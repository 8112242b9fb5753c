import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A driver's best laps on the two boards of a track and car, and what leaderboard has confirmed of them.
  await sql`create table standing (
    user_id text not null,
    board_id integer not null references combination,
    -- By which names it is told: those of the driver's last file there.
    combination_id integer not null references combination,
    version integer not null,
    confirmed_version integer not null default 0,
    complete_lap_id uuid,
    clean_lap_id uuid,
    -- Leaderboard's own number for the two boards.
    context_id integer,
    -- Whoever tells leaderboard takes the row until then.
    push_after timestamptz not null default now(),
    primary key (user_id, board_id)
  )`.execute(db)
  await sql`create index standing_open on standing (push_after) where version > confirmed_version`.execute(db)
}
