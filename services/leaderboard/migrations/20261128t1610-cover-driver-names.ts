import { type Kysely, sql } from 'kysely'

/** A page looks up the names of fifty drivers who are strewn over the table: the index alone answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table driver drop constraint driver_pkey`.execute(db)
  await sql`alter table driver add primary key (id) include (user_id, display_name)`.execute(db)
}
