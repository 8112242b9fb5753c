import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What the request was for. A request is answered by an earlier mail of the same purpose alone.
  // Null in rows of the version before, which answer none.
  await sql`alter table code add column purpose text`.execute(db)
  await sql`alter table token add column purpose text`.execute(db)
  await sql`create index code_address on code (address_key, created_at)`.execute(db)
  await sql`create index code_by_user on code (user_id)`.execute(db)
}
