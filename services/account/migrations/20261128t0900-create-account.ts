import { createOutboxTables } from '@lapwing/events'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table profile (
    user_id text primary key,
    username text not null,
    -- The name in lower case: names that differ in case are one name (D-15).
    username_key text not null constraint profile_username_key unique,
    is_default boolean not null,
    created_at timestamptz not null default now(),
    changed_at timestamptz
  )`.execute(db)
  await sql`create table consent (
    user_id text primary key,
    waitlist boolean not null,
    marketing boolean not null,
    updated_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table waitlist_member (
    -- Order of joining; gaps mean nothing, a place is counted.
    place bigint generated always as identity primary key,
    user_id text not null unique,
    joined_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table billing_customer (
    user_id text primary key,
    customer_id text not null,
    created_at timestamptz not null default now()
  )`.execute(db)
  // Stops a request that is still running from creating a deleted account again. The id alone is not
  // personal.
  await sql`create table deleted_account (
    user_id text primary key,
    deleted_at timestamptz not null default now()
  )`.execute(db)
  await createOutboxTables(db)
}
