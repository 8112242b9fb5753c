import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../database.ts'
import type { NamedCombination } from './combination.ts'

export interface EnsuredContext {
  readonly contextId: number
  /** Whether a name has a new meaning: what was found by it may be stale. */
  readonly isNameNew: boolean
}

/**
 * Finds the context of a combination, or creates it. The combination's names are the track's own, and they
 * alone identify the track (D-4).
 *
 * Every transaction locks one row each in the order track, alias, context, so that no deadlock is possible.
 */
export async function ensureContext(trx: Trx, of: NamedCombination): Promise<EnsuredContext> {
  const { sim, track_slug: slug, layout, alias_slug: alias, car_slug: carSlug } = of
  const track = await findOrCreate(trx, {
    find: sql`select id from track where sim = ${sim} and slug = ${slug} and layout = ${layout}`,
    create: sql`insert into track (sim, slug, layout, label, sim_track_id)
      values (${sim}, ${slug}, ${layout}, ${of.track_label}, ${of.track_id})
      on conflict (sim, slug, layout) do nothing returning id`,
  })
  const isAliasNew = alias !== null && (await addAlias(trx, of, alias, track.id))
  const context = await findOrCreate(trx, {
    find: sql`select id from context where track_id = ${track.id} and car_slug = ${carSlug}`,
    create: sql`insert into context (track_id, car_slug, car_label, sim_car_id)
      values (${track.id}, ${carSlug}, ${of.car_label}, ${of.car_id})
      on conflict (track_id, car_slug) do nothing returning id`,
  })
  return { contextId: context.id, isNameNew: track.isNew || isAliasNew }
}

/** @param create returns no row if another transaction created it first; `find` then returns it */
async function findOrCreate(
  trx: Trx,
  { find, create }: Readonly<Record<'find' | 'create', RawBuilder<{ id: number }>>>,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const idOf = async (query: RawBuilder<{ id: number }>) => (await query.execute(trx)).rows[0]?.id
  const known = await idOf(find)
  if (known !== undefined) return { id: known, isNew: false }
  const created = await idOf(create)
  if (created !== undefined) return { id: created, isNew: true }
  const found = await idOf(find)
  if (found === undefined) throw new Error('a track or a context vanished')
  return { id: found, isNew: false }
}

/** Adds an alias unless the name is in use. Returns whether it was added. */
async function addAlias(
  trx: Trx,
  { sim, layout }: NamedCombination,
  slug: string,
  trackId: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into track_alias (sim, slug, layout, track_id)
    select ${sim}, ${slug}, ${layout}, ${trackId}
    where not exists (
      select from track_name where sim = ${sim} and slug = ${slug} and layout = ${layout})
    on conflict (sim, slug, layout) do nothing`.execute(trx)
  return numAffectedRows === 1n
}
