import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table driver (
    id integer generated always as identity primary key,
    user_id text not null constraint driver_user unique,
    -- Null until account has told it.
    display_name text,
    -- By a moderator.
    is_hidden boolean not null default false,
    -- The row stays, so that a standing under way brings nothing back; an id alone names nobody.
    is_deleted boolean not null default false
  )`.execute(db)
  await sql`create table hidden_lap (
    lap_id uuid primary key,
    hidden_at timestamptz not null default now()
  )`.execute(db)
}
