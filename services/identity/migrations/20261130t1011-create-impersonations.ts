import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who opened whose account, when and why. Outlives the account, without its id.
  await sql`create table impersonation (
    impersonation_id text primary key,
    user_id text references person on delete set null,
    operator text not null,
    reason text not null,
    issued_at timestamptz not null,
    used_at timestamptz,
    session_id text
  )`.execute(db)
  await sql`create index impersonation_by_user on impersonation (user_id)`.execute(db)
  await sql`create index impersonation_age on impersonation (issued_at)`.execute(db)
}
