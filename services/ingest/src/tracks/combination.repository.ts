import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { FileCombination } from '../judging/judged-file.ts'
import { isSamePlace, type Place } from './place.ts'

export interface KnownCombination {
  readonly id: number
  readonly trackId: number
  /** The same for all names of one track and car. */
  readonly boardId: number
  /** Never seen by these names before. */
  readonly isNew: boolean
}

/** A track that has a board. */
export interface Track {
  readonly id: number
  /** Null while its drivers have not agreed. */
  readonly place: Place | null
}

/**
 * The track that a file names, null where nobody has driven it before (D-4). Names and number together, or
 * else its own name, say it alone: whether the laps were driven there is for the caller to judge. Another
 * name, or the number it first came with, leads to a track only if they were: a file can claim any name and
 * number, and would otherwise make one track of two.
 *
 * @param driven where the file's laps were driven; null where it does not say
 */
export async function findTrack(
  trx: Transaction<Database>,
  file: FileCombination,
  driven: Place | null,
): Promise<Track | null> {
  for (const { isMeant, ...track } of await findTracksByName(trx, file)) {
    if (isMeant || driven === null || track.place === null || isSamePlace(driven, track.place)) return track
  }
  if (driven === null) return null
  const track = await findTrackByNumber(trx, file)
  return track?.place != null && isSamePlace(driven, track.place) ? track : null
}

/** Finds what a file was driven on, or makes it. */
export async function findOrMakeCombination(
  trx: Transaction<Database>,
  file: FileCombination,
  driven: Place | null,
): Promise<KnownCombination> {
  const known = await findExactly(trx, file)
  if (known !== null) return { ...known, isNew: false }
  // One at a time from here on, or two first files would make two boards of one.
  await sql`select pg_advisory_xact_lock(hashtext('ingest combination'))`.execute(trx)
  const raced = await findExactly(trx, file)
  if (raced !== null) return { ...raced, isNew: false }

  const trackId = (await findTrack(trx, file, driven))?.id ?? null
  const boardId = trackId === null ? null : await findBoard(trx, trackId, file.car_slug)
  const { rows } = await sql<{ id: number; track_id: number; board_id: number }>`
    with next as (select nextval(pg_get_serial_sequence('combination', 'id'))::integer as id)
    insert into combination (id, track_id, board_id, sim, track_slug, layout, car_slug, track_label, car_label,
      sim_track_id, sim_car_id)
    overriding system value
    select id, coalesce(${trackId}::integer, id), coalesce(${boardId}::integer, id), ${file.sim}, ${file.track_slug},
      ${file.layout}, ${file.car_slug}, ${file.track_label}, ${file.car_label}, ${file.sim_track_id}::integer,
      ${file.sim_car_id}::integer
    from next returning id, track_id, board_id`.execute(trx)
  const made = rows[0]!
  return { id: made.id, trackId: made.track_id, boardId: made.board_id, isNew: true }
}

async function findExactly(trx: Transaction<Database>, file: FileCombination) {
  const row = await trx
    .selectFrom('combination')
    .select(['id', 'track_id as trackId', 'board_id as boardId'])
    .where('sim', '=', file.sim)
    .where('track_slug', '=', file.track_slug)
    .where('layout', '=', file.layout)
    .where('car_slug', '=', file.car_slug)
    .where('sim_track_id', '=', file.sim_track_id)
    .executeTakeFirst()
  return row ?? null
}

interface TrackRow {
  readonly id: number
  readonly lat: number | null
  readonly lon: number | null
  readonly length_m: number | null
}

/** Those that are meant, whatever was driven, come first. */
async function findTracksByName(
  trx: Transaction<Database>,
  { sim, track_slug, layout, sim_track_id }: FileCombination,
): Promise<readonly (Track & { readonly isMeant: boolean })[]> {
  const { rows } = await sql<TrackRow & { readonly is_known: boolean; readonly is_own: boolean }>`
    select track.id, bool_or(named.sim_track_id = ${sim_track_id}) as is_known,
      bool_or(track.track_slug = named.track_slug) as is_own,
      track_place.lat, track_place.lon, track_place.length_m
    from combination named join combination track on track.id = named.track_id
      left join track_place on track_place.track_id = track.id
    where named.sim = ${sim} and named.track_slug = ${track_slug} and named.layout = ${layout}
    group by track.id, track_place.track_id
    order by is_known desc, is_own desc, track.id`.execute(trx)
  return rows.map(row => ({ ...toTrack(row), isMeant: row.is_known || row.is_own }))
}

async function findTrackByNumber(
  trx: Transaction<Database>,
  { sim, sim_track_id, layout }: FileCombination,
): Promise<Track | null> {
  // Only the number with which a track was made counts.
  const { rows } = await sql<TrackRow>`
    select track.id, track_place.lat, track_place.lon, track_place.length_m
    from combination track join track_place on track_place.track_id = track.id
    where track.sim = ${sim} and track.sim_track_id = ${sim_track_id} and track.layout = ${layout}
      and track.id = track.track_id
    order by track.id limit 1`.execute(trx)
  return rows[0] === undefined ? null : toTrack(rows[0])
}

function toTrack({ id, lat, lon, length_m }: TrackRow): Track {
  return { id, place: lat === null ? null : { lat, lon: lon!, lengthM: length_m! } }
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
