import { createOutboxTables } from '@lapwing/events'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upload_session (
    id uuid primary key,
    user_id text not null,
    -- Of the object; random, names nobody.
    key text not null constraint upload_session_key unique,
    -- As announced; the policy of the form lets in exactly as many bytes.
    size integer not null,
    state text not null default 'open'
      constraint upload_session_state check (state in ('open', 'completed', 'removed')),
    -- Of the object that was looked at; ingest reads that one and no other.
    etag text,
    created_at timestamptz not null,
    -- Until then the form is good.
    expires_at timestamptz not null,
    completed_at timestamptz,
    constraint upload_session_completed check (
      (state = 'open' and etag is null and completed_at is null)
      or (state = 'completed' and etag is not null and completed_at is not null)
      or state = 'removed'
    )
  )`.execute(db)
  await sql`create index upload_session_user on upload_session (user_id)`.execute(db)
  // Counts the open uploads of an account.
  await sql`create index upload_session_under_way on upload_session (user_id, expires_at)
    where state = 'open'`.execute(db)
  // For the queries of the sweeper.
  await sql`create index upload_session_open on upload_session (expires_at) where state = 'open'`.execute(db)
  await sql`create index upload_session_kept on upload_session (completed_at)
    where state = 'completed'`.execute(db)

  // Objects to delete. The row is written in the transaction that makes the object unneeded.
  await sql`create table object_removal (
    key text primary key,
    -- While a form for the key is good, its object can come again: until then it is deleted at every sweep.
    until timestamptz not null
  )`.execute(db)
  await sql`create index object_removal_until on object_removal (until)`.execute(db)
  // Position of the walk through the bucket. The row is also the lock that allows only one process to walk.
  await sql`create table orphan_walk (after text)`.execute(db)
  await sql`insert into orphan_walk (after) values (null)`.execute(db)
  // Stops running requests from adding data of a deleted account. An id alone identifies no person.
  await sql`create table deleted_user (
    user_id text primary key,
    deleted_at timestamptz not null
  )`.execute(db)
  await createOutboxTables(db)
}
