import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Purpose of the request. An earlier mail answers a request only if both have the same purpose.
  // Null in rows of the previous version: they answer no request.
  await sql`alter table code add column purpose text`.execute(db)
  await sql`alter table token add column purpose text`.execute(db)
  await sql`create index code_address on code (address_key, created_at)`.execute(db)
  await sql`create index code_by_user on code (user_id)`.execute(db)
}
