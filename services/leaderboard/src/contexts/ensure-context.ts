import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { NamedCombination } from './combination.ts'

/** The number of a combination, made where nobody has driven it before. */
export async function ensureContext(trx: Transaction<Database>, of: NamedCombination): Promise<number> {
  const trackId = await ensureTrack(trx, of)
  const find = async () => {
    const { rows } = await sql<{ id: number }>`
      select id from context where track_id = ${trackId} and car_slug = ${of.carSlug}`.execute(trx)
    return rows[0]?.id
  }
  const known = await find()
  if (known !== undefined) return known
  await sql`insert into context (track_id, car_slug, car_label, sim_car_id)
    values (${trackId}, ${of.carSlug}, ${of.carLabel}, ${of.carId}) on conflict (track_id, car_slug) do nothing`.execute(
    trx,
  )
  const made = await find()
  if (made === undefined) throw new Error('a context vanished')
  return made
}

/**
 * By its name, else by the simulator's number of the track: a renamed track keeps its boards under
 * both names, and one scanned again has a new number under the same name (D-4). Only the number with
 * which a track was made counts, as a forged file could otherwise lead another track's laps here.
 */
async function ensureTrack(trx: Transaction<Database>, of: NamedCombination): Promise<number> {
  const { sim, trackSlug: slug, layout } = of
  const byName = async () => {
    const { rows } = await sql<{ track_id: number }>`
      select track_id from track_name where sim = ${sim} and slug = ${slug} and layout = ${layout}`.execute(
      trx,
    )
    return rows[0]?.track_id
  }
  const known = await byName()
  if (known !== undefined) return known
  const id = (await byNumber(trx, of)) ?? (await insertTrack(trx, of)) ?? (await byNumber(trx, of))
  if (id === undefined) throw new Error('a track vanished')
  await sql`insert into track_name (sim, slug, layout, track_id) values (${sim}, ${slug}, ${layout}, ${id})
    on conflict (sim, slug, layout) do nothing`.execute(trx)
  const named = await byName()
  if (named === undefined) throw new Error('the name of a track vanished')
  // Another transaction gave the name to a track of its own in the same moment; this one has no context.
  if (named !== id)
    await sql`delete from track where id = ${id} and not exists (
    select from track_name where track_id = ${id})`.execute(trx)
  return named
}

async function byNumber(trx: Transaction<Database>, of: NamedCombination): Promise<number | undefined> {
  if (of.trackId === null) return undefined
  const { rows } = await sql<{ id: number }>`
    select id from track where sim = ${of.sim} and sim_track_id = ${of.trackId} and layout = ${of.layout}`.execute(
    trx,
  )
  return rows[0]?.id
}

/** Undefined where another transaction has made it in the same moment. */
async function insertTrack(trx: Transaction<Database>, of: NamedCombination): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into track (sim, slug, layout, label, sim_track_id)
    values (${of.sim}, ${of.trackSlug}, ${of.layout}, ${of.trackLabel}, ${of.trackId})
    on conflict on constraint track_number do nothing returning id`.execute(trx)
  return rows[0]?.id
}
