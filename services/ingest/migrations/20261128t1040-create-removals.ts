import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Kept so that a request still under way cannot bring a deleted account back; an id alone names nobody.
  await sql`create table deleted_user (
    user_id text primary key,
    deleted_at timestamptz not null default now()
  )`.execute(db)
  // Objects that nothing needs any more, written down with the change that made them so.
  await sql`create table object_removal (
    key text primary key,
    created_at timestamptz not null default now()
  )`.execute(db)
}
