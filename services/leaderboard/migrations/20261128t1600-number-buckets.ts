import { type Kysely, sql } from 'kysely'

/** Merges level and slot into one number, so that one scan finds the buckets of all levels. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bucket add column node integer`.execute(db)
  await sql`update bucket set node = (level::integer << 24) + slot`.execute(db)
  await sql`alter table bucket drop constraint bucket_pkey`.execute(db)
  await sql`alter table bucket drop column level, drop column slot`.execute(db)
  await sql`alter table bucket add primary key (board_id, node)`.execute(db)
}
