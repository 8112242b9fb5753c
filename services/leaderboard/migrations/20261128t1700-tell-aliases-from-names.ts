import { type Kysely, sql } from 'kysely'

/**
 * Identifies a track by its own name, no longer by the simulator's number. Its other names become aliases. An
 * alias leads to its track only while no track owns the name. A track that arrives later gets its own name
 * back, in any order of arrival.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table track drop constraint track_number`.execute(db)
  // Names are unique already: every track was stored with its name in track_name, which has one row a name.
  await sql`alter table track add constraint track_own_name unique (sim, slug, layout)`.execute(db)
  await sql`alter table track_name rename to track_alias`.execute(db)
  await sql`alter table track_alias rename constraint track_name_pkey to track_alias_pkey`.execute(db)
  await sql`delete from track_alias as alias using track
    where (track.sim, track.slug, track.layout) = (alias.sim, alias.slug, alias.layout)`.execute(db)
  // Maps a name to at most one track.
  await sql`create view track_name as
    select sim, slug, layout, id as track_id from track
    union all
    select sim, slug, layout, track_id from track_alias as alias
    where not exists (select from track
      where track.sim = alias.sim and track.slug = alias.slug and track.layout = alias.layout)`.execute(db)
}
