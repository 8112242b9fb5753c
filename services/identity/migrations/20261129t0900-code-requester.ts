import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Digest of the network or known browser that requested the code. Only its further requests get the same id.
  // Null in rows of the previous version: they answer no request.
  await sql`alter table code add column requester bytea`.execute(db)
}
