import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Stored so that a running request cannot restore a deleted account; an id alone identifies no person.
  await sql`create table deleted_user (
    user_id text primary key,
    deleted_at timestamptz not null default now()
  )`.execute(db)
  // Objects to remove, written in the transaction that made them useless.
  await sql`create table object_removal (
    key text primary key,
    created_at timestamptz not null default now()
  )`.execute(db)
}
