import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { FileCombination } from '../judging/judged-file.ts'

export interface KnownCombination {
  readonly id: number
  /** The same for all names of one track and car. */
  readonly boardId: number
  /** Never seen by these names before. */
  readonly isNew: boolean
}

/**
 * Finds what a file was driven on, or makes it. A track is known by its names or, where those changed,
 * by the number it first came with (D-4), by the same rules as leaderboard: what it puts on one board
 * is one board here, or two standings of a driver would each call itself the truth.
 */
export async function findOrMakeCombination(
  trx: Transaction<Database>,
  file: FileCombination,
): Promise<KnownCombination> {
  const known = await findExactly(trx, file)
  if (known !== null) return { ...known, isNew: false }
  // One at a time from here on, or two first files would make two boards of one.
  await sql`select pg_advisory_xact_lock(hashtext('ingest combination'))`.execute(trx)
  const raced = await findExactly(trx, file)
  if (raced !== null) return { ...raced, isNew: false }

  const trackId = (await findTrackByNames(trx, file)) ?? (await findTrackByNumber(trx, file))
  const boardId = trackId === null ? null : await findBoard(trx, trackId, file.car_slug)
  const { rows } = await sql<{ id: number; board_id: number }>`
    with next as (select nextval(pg_get_serial_sequence('combination', 'id'))::integer as id)
    insert into combination (id, track_id, board_id, sim, track_slug, layout, car_slug, track_label, car_label,
      sim_track_id, sim_car_id)
    overriding system value
    select id, coalesce(${trackId}::integer, id), coalesce(${boardId}::integer, id), ${file.sim}, ${file.track_slug},
      ${file.layout}, ${file.car_slug}, ${file.track_label}, ${file.car_label}, ${file.sim_track_id}::integer,
      ${file.sim_car_id}::integer
    from next returning id, board_id`.execute(trx)
  return { id: rows[0]!.id, boardId: rows[0]!.board_id, isNew: true }
}

async function findExactly(trx: Transaction<Database>, file: FileCombination) {
  const row = await trx
    .selectFrom('combination')
    .select(['id', 'board_id as boardId'])
    .where('sim', '=', file.sim)
    .where('track_slug', '=', file.track_slug)
    .where('layout', '=', file.layout)
    .where('car_slug', '=', file.car_slug)
    .where('sim_track_id', '=', file.sim_track_id)
    .executeTakeFirst()
  return row ?? null
}

async function findTrackByNames(trx: Transaction<Database>, file: FileCombination): Promise<number | null> {
  const row = await trx
    .selectFrom('combination')
    .select('track_id')
    .where('sim', '=', file.sim)
    .where('track_slug', '=', file.track_slug)
    .where('layout', '=', file.layout)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.track_id ?? null
}

async function findTrackByNumber(trx: Transaction<Database>, file: FileCombination): Promise<number | null> {
  const row = await trx
    .selectFrom('combination')
    .select('track_id')
    .where('sim', '=', file.sim)
    .where('sim_track_id', '=', file.sim_track_id)
    .where('layout', '=', file.layout)
    .whereRef('id', '=', 'track_id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.track_id ?? null
}

async function findBoard(
  trx: Transaction<Database>,
  trackId: number,
  carSlug: string,
): Promise<number | null> {
  const row = await trx
    .selectFrom('combination')
    .select('board_id')
    .where('track_id', '=', trackId)
    .where('car_slug', '=', carSlug)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.board_id ?? null
}
