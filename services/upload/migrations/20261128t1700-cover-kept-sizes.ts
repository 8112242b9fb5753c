import { type Kysely, sql } from 'kysely'

/**
 * Adds sizes to the index: each new upload sums the stored bytes of its account, now from the index alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index upload_session_size on upload_session (user_id) include (size)
    where state <> 'removed'`.execute(db)
}
