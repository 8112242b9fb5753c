import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { FileCombination } from '../judging/judged-file.ts'
import { FEWEST_VOTES, isSameLocation, type TrackLocation } from './track-location.ts'

export interface KnownCombination {
  /** The id of these names: `combination.id`, `namedId` elsewhere. */
  readonly id: number
  readonly trackId: number
  /** The same for all names of one track and car: `combination.board_id`. */
  readonly combinationId: number
  /** Never seen by these names before. */
  readonly isNew: boolean
}

/** A track that has a board. */
export interface Track {
  readonly id: number
  /** Null while its drivers have not agreed. */
  readonly location: TrackLocation | null
}

/**
 * The track of a file, null where nobody has driven it before (D-4). A file can claim any names and number, so
 * they lead to a track if it was driven there. Else the track whose name it is has it, and whether the laps may
 * stand there is for the caller to judge. A name that few have driven it under, and the number, lead nowhere
 * then, or a forged file would make one track of two, or shut one out whose name it claimed first.
 *
 * @param driven where the file's laps were driven; null where it does not say
 */
export async function findTrack(
  trx: Transaction<Database>,
  file: FileCombination,
  driven: TrackLocation | null,
): Promise<Track | null> {
  const named = await findTracksByName(trx, file)
  const isThere = ({ location }: Track) =>
    driven !== null && location !== null && isSameLocation(driven, location)
  const mayBeThere = ({ location }: Track) => driven === null || location === null
  const found = named.find(isThere) ?? named.find(mayBeThere) ?? named.find(track => track.isOwn)
  if (found !== undefined || driven === null) return found ?? null
  const numbered = (await findLocatedTracksByNumber(trx, file)).find(isThere)
  if (numbered !== undefined || named.length === 0) return numbered ?? null
  const known = await findKnownByName(trx, file)
  return named.find(({ id }) => id === known) ?? null
}

/**
 * Finds by which names and number a file was driven on a track, or makes it.
 *
 * @param track as `findTrack` found it for the same file
 */
export async function findOrMakeCombination(
  trx: Transaction<Database>,
  file: FileCombination,
  driven: TrackLocation | null,
  track: Track | null,
): Promise<KnownCombination> {
  const known = track === null ? null : await findNamed(trx, file, track)
  if (known !== null) return { ...known, isNew: false }
  await lockCombinations(trx)
  const on = track ?? (await findTrack(trx, file, driven))
  const raced = on === null ? null : await findNamed(trx, file, on)
  if (raced !== null) return { ...raced, isNew: false }

  const combinationId = on === null ? null : await findBoard(trx, on.id, file.car_slug)
  const made = await insertCombination(trx, file, { trackId: on?.id ?? null, combinationId })
  return { ...made, isNew: true }
}

/** One at a time from here on, or two first files would make two boards of one. */
async function lockCombinations(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('ingest combination'))`.execute(trx)
}

/** Of a track or a board of its own where none is given. */
async function insertCombination(
  trx: Transaction<Database>,
  of: FileCombination,
  { trackId, combinationId }: { readonly trackId: number | null; readonly combinationId: number | null },
): Promise<Omit<KnownCombination, 'isNew'>> {
  const { rows } = await sql<Omit<KnownCombination, 'isNew'>>`
    with next as (select nextval(pg_get_serial_sequence('combination', 'id'))::integer as id)
    insert into combination (id, track_id, board_id, sim, track_slug, layout, car_slug, track_label, car_label,
      sim_track_id, sim_car_id)
    overriding system value
    select id, coalesce(${trackId}::integer, id), coalesce(${combinationId}::integer, id), ${of.sim}, ${of.track_slug},
      ${of.layout}, ${of.car_slug}, ${of.track_label}, ${of.car_label}, ${of.sim_track_id}::integer,
      ${of.sim_car_id}::integer
    from next returning id, track_id as "trackId", board_id as "combinationId"`.execute(trx)
  return rows[0]!
}

async function findNamed(trx: Transaction<Database>, file: FileCombination, track: Track) {
  const row = await trx
    .selectFrom('combination')
    .select(['id', 'track_id as trackId', 'board_id as combinationId'])
    .where('sim', '=', file.sim)
    .where('track_slug', '=', file.track_slug)
    .where('layout', '=', file.layout)
    .where('car_slug', '=', file.car_slug)
    .where('sim_track_id', '=', file.sim_track_id)
    .where('track_id', '=', track.id)
    .executeTakeFirst()
  return row ?? null
}

export type TrackName = Pick<FileCombination, 'sim' | 'track_slug' | 'layout'>

/**
 * The track that has this name of its own, made where drivers know the name only as another one's; null where
 * nobody knows it.
 */
export async function findOrMakeOwnTrack(
  trx: Transaction<Database>,
  { sim, track_slug, layout }: TrackName,
): Promise<number | null> {
  await lockCombinations(trx)
  const { rows } = await sql<FileCombination & { readonly id: number; readonly track_id: number }>`
    select * from combination where sim = ${sim} and track_slug = ${track_slug} and layout = ${layout}
    order by (id = track_id) desc, id limit 1`.execute(trx)
  const known = rows[0]
  if (known === undefined || known.id === known.track_id) return known?.id ?? null
  return (await insertCombination(trx, known, { trackId: null, combinationId: null })).id
}

interface TrackRow {
  readonly id: number
  readonly lat: number | null
  readonly lon: number | null
  readonly length_m: number | null
}

/** Those that came with the same number too are first, then the one whose own name it is. */
async function findTracksByName(
  trx: Transaction<Database>,
  { sim, track_slug, layout, sim_track_id }: FileCombination,
): Promise<readonly (Track & { readonly isOwn: boolean })[]> {
  const { rows } = await sql<TrackRow & { readonly is_own: boolean }>`
    select track.id, bool_or(track.track_slug = named.track_slug) as is_own,
      track_place.lat, track_place.lon, track_place.length_m
    from combination named join combination track on track.id = named.track_id
      left join track_place on track_place.track_id = track.id
    where named.sim = ${sim} and named.track_slug = ${track_slug} and named.layout = ${layout}
    group by track.id, track_place.track_id
    order by bool_or(named.sim_track_id = ${sim_track_id}) desc, is_own desc, track.id`.execute(trx)
  return rows.map(row => ({ ...toTrack(row), isOwn: row.is_own }))
}

/**
 * Finds the track that most know by a name which is not its own. Null if fewer do than it takes to agree. They
 * count as votes on a place do: accounts that may vote, one for each known network (D-27).
 */
async function findKnownByName(
  trx: Transaction<Database>,
  { sim, track_slug, layout }: FileCombination,
): Promise<number | null> {
  const { rows } = await sql<{ track_id: number }>`
    select named.track_id from combination named
      join standing on standing.board_id = named.board_id and standing.combination_id = named.id
      join person on person.user_id = standing.user_id and person.can_vote
    where named.sim = ${sim} and named.track_slug = ${track_slug} and named.layout = ${layout}
    group by named.track_id having count(distinct person.network) >= ${FEWEST_VOTES}
    order by count(distinct person.network) desc, named.track_id limit 1`.execute(trx)
  return rows[0]?.track_id ?? null
}

/** Only the number with which a track was made counts. */
async function findLocatedTracksByNumber(
  trx: Transaction<Database>,
  { sim, sim_track_id, layout }: FileCombination,
): Promise<readonly Track[]> {
  const { rows } = await sql<TrackRow>`
    select track.id, track_place.lat, track_place.lon, track_place.length_m
    from combination track join track_place on track_place.track_id = track.id
    where track.sim = ${sim} and track.sim_track_id = ${sim_track_id} and track.layout = ${layout}
      and track.id = track.track_id
    order by track.id`.execute(trx)
  return rows.map(toTrack)
}

function toTrack({ id, lat, lon, length_m }: TrackRow): Track {
  return { id, location: lat === null ? null : { lat, lon: lon!, lengthM: length_m! } }
}

/** The board of a track and a car; null if nobody has driven the car there. */
export async function findBoard(
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
