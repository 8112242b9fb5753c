import { type Kysely, sql } from 'kysely'

/**
 * A track is known by its own name and no longer by the simulator's number. What else it is called are
 * aliases, and lead to it only while they are no track's own name: a track that comes later takes its
 * name back by being there, in whatever order or moment both come.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table track drop constraint track_number`.execute(db)
  // No two tracks have the same: a track was only ever kept with its name in track_name, one row a name.
  await sql`alter table track add constraint track_own_name unique (sim, slug, layout)`.execute(db)
  await sql`alter table track_name rename to track_alias`.execute(db)
  await sql`alter table track_alias rename constraint track_name_pkey to track_alias_pkey`.execute(db)
  await sql`delete from track_alias as alias using track
    where (track.sim, track.slug, track.layout) = (alias.sim, alias.slug, alias.layout)`.execute(db)
  // What a name means: one track at most.
  await sql`create view track_name as
    select sim, slug, layout, id as track_id from track
    union all
    select sim, slug, layout, track_id from track_alias as alias
    where not exists (select from track
      where track.sim = alias.sim and track.slug = alias.slug and track.layout = alias.layout)`.execute(db)
}
