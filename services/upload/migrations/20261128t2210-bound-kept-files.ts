import { type Kysely, sql } from 'kysely'

/**
 * Adds what the quotas of accounts and networks need: the network, and when ingest last requested the file.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upload_session
    -- Keyed digest of the IPv4 address or IPv6 /64 that announced the file; the address is not stored.
    add column network bytea,
    -- When ingest last asked for the session.
    add column asked_at timestamptz`.execute(db)
  await sql`create index upload_session_kept_by_user on upload_session (user_id, completed_at, id)
    include (size) where state = 'completed'`.execute(db)
  await sql`create index upload_session_kept_by_network on upload_session (network, completed_at, id)
    include (size) where state = 'completed' and network is not null`.execute(db)
}
