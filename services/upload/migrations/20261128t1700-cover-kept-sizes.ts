import { type Kysely, sql } from 'kysely'

/** What a person has kept is summed with each upload they announce: the index alone answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index upload_session_size on upload_session (user_id) include (size)
    where state <> 'removed'`.execute(db)
}
