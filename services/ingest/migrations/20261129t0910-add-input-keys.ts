import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // False for fingerprints from before the keys of inputs: the sweeper makes theirs from their descriptors.
  await sql`alter table lap_fingerprint add column has_input_keys boolean not null default false`.execute(db)
  await sql`create index lap_fingerprint_without_input_keys on lap_fingerprint (id)
    where not has_input_keys`.execute(db)
}
