import { type Kysely, sql } from 'kysely'

/** A file can also have another driver number than the account's own one (D-11). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conflict drop constraint conflict_kind, add constraint conflict_kind
    check (kind in ('file', 'driver', 'other_number'))`.execute(db)
}
