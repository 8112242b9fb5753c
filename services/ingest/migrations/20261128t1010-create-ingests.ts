import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table ingest (
    id uuid primary key,
    user_id text not null,
    upload_session_id uuid not null constraint ingest_upload_session unique,
    -- The object as upload checked it.
    key text not null,
    etag text not null,
    size integer not null,
    state text not null default 'waiting'
      constraint ingest_state check (state in ('waiting', 'running', 'recorded', 'done', 'failed')),
    progress real not null default 0,
    -- How often it was taken up. Part of the id of its job, so that a job of an attempt that died hinders none.
    attempt integer not null default 0,
    -- Of the attempt that may record; another one's transaction changes nothing.
    attempt_token uuid,
    leased_until timestamptz,
    -- Attempts that count towards the most there may be; handing back does not.
    tries integer not null default 0,
    not_before timestamptz not null default now(),
    -- The standing that leaderboard has to hear of before it is done.
    board_id integer,
    standing_version integer,
    outcome jsonb,
    failure_code text,
    failure_detail text,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`.execute(db)
  await sql`create index ingest_open on ingest (created_at) where state in ('waiting', 'running')`.execute(db)
  await sql`create index ingest_recorded on ingest (user_id, board_id) where state = 'recorded'`.execute(db)
  await sql`create index ingest_user on ingest (user_id)`.execute(db)
}
