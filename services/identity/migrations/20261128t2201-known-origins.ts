import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Digests of the browsers and networks that signed in to an account before.
  await sql`create table known_origin (
    user_id text not null references person on delete cascade,
    digest bytea not null,
    kind text not null check (kind in ('browser', 'network')),
    seen_at timestamptz not null,
    primary key (user_id, digest)
  )`.execute(db)
  await sql`create index known_origin_seen on known_origin (seen_at)`.execute(db)
}
