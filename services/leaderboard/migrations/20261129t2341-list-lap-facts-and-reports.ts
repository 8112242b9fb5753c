import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Facts of laps on boards, one row a lap and not a column of its entry: the version before this one replaces entries
  // without knowing the facts. The key includes them, so that a page reads the index alone.
  await sql`create table lap_fact (
    lap_id uuid not null,
    -- Milliseconds since 1970: a page reads numbers in a third of the time of dates.
    driven_ms bigint,
    session_kind text,
    air_temp_c real,
    skies smallint,
    primary key (lap_id) include (driven_ms, session_kind, air_temp_c, skies)
  )`.execute(db)
  await sql`create table lap_report (
    lap_id uuid not null,
    reporter_id text not null,
    -- The driver of the lap.
    user_id text not null,
    reason text not null check (reason in ('lap', 'name')),
    created_at timestamptz not null default now(),
    primary key (lap_id, reporter_id)
  )`.execute(db)
  // For the limit of an account, and its deletion.
  await sql`create index lap_report_by_reporter on lap_report (reporter_id, created_at)`.execute(db)
  await sql`create index lap_report_by_driver on lap_report (user_id)`.execute(db)
}
