import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table trusted_profile (
    profile_id text primary key,
    issuer text not null,
    audience text not null,
    -- Address of the issuer's key set.
    keys_url text not null,
    created_at timestamptz not null
  )`.execute(db)
}
