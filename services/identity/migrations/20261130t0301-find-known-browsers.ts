import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Finds a browser that any account knows, for requests that name no account.
  await sql`create index known_origin_digest on known_origin (digest)`.execute(db)
}
