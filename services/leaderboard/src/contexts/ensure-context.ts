import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
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
export async function ensureContext(
  trx: Transaction<Database>,
  of: NamedCombination,
): Promise<EnsuredContext> {
  const track = await findOrCreate(
    () => findTrack(trx, of),
    () => insertTrack(trx, of),
  )
  const isAliasNew = of.aliasSlug !== null && (await addAlias(trx, of, of.aliasSlug, track.id))
  const context = await findOrCreate(
    () => findContext(trx, of, track.id),
    () => insertContext(trx, of, track.id),
  )
  return { contextId: context.id, isNameNew: track.isNew || isAliasNew }
}

type Find = () => Promise<number | undefined>

/** @param create returns undefined if another transaction created the row first; `find` then returns it */
async function findOrCreate(
  find: Find,
  create: Find,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const known = await find()
  if (known !== undefined) return { id: known, isNew: false }
  const created = await create()
  if (created !== undefined) return { id: created, isNew: true }
  const found = await find()
  if (found === undefined) throw new Error('a track or a context vanished')
  return { id: found, isNew: false }
}

async function findTrack(trx: Transaction<Database>, of: NamedCombination): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from track where sim = ${of.sim} and slug = ${of.trackSlug} and layout = ${of.layout}`.execute(
    trx,
  )
  return rows[0]?.id
}

async function insertTrack(trx: Transaction<Database>, of: NamedCombination): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into track (sim, slug, layout, label, sim_track_id)
    values (${of.sim}, ${of.trackSlug}, ${of.layout}, ${of.trackLabel}, ${of.trackId})
    on conflict (sim, slug, layout) do nothing returning id`.execute(trx)
  return rows[0]?.id
}

/** Adds an alias unless the name is in use. Returns whether it was added. */
async function addAlias(
  trx: Transaction<Database>,
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

async function findContext(
  trx: Transaction<Database>,
  { carSlug }: NamedCombination,
  trackId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from context where track_id = ${trackId} and car_slug = ${carSlug}`.execute(trx)
  return rows[0]?.id
}

async function insertContext(
  trx: Transaction<Database>,
  { carSlug, carLabel, carId }: NamedCombination,
  trackId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into context (track_id, car_slug, car_label, sim_car_id)
    values (${trackId}, ${carSlug}, ${carLabel}, ${carId})
    on conflict (track_id, car_slug) do nothing returning id`.execute(trx)
  return rows[0]?.id
}
