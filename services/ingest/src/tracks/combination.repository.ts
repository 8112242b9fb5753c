import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { FileCombination } from '../judging/judged-file.ts'
import { FEWEST_VOTES, isSameLocation, type TrackLocation } from './track-location.ts'

export interface KnownCombination {
  /** The id of these names: `combination.id`; `namedId` in other files. */
  readonly id: number
  readonly trackId: number
  /** The same for all names of one track and car: `combination.board_id`. */
  readonly combinationId: number
  /** These names did not exist before. */
  readonly isNew: boolean
}

/** A track that has a board. */
export interface Track {
  readonly id: number
  /** Null while its drivers have not agreed. */
  readonly location: TrackLocation | null
}

/**
 * Finds the track of a file; null if it is new (D-4). A file can claim any names and number. So they lead to
 * a track only if the file was driven there; a name also does if one of the locations is not known. Otherwise
 * the track that owns the name is returned, and the caller decides whether the laps count there. Another name
 * leads to a track only once enough drivers have used it there, and a number alone never does. Without these
 * rules a forged file could join two tracks, or block a track by claiming its name first.
 *
 * @param driven where the file's laps were driven; null if the file does not have it
 */
export async function findTrack(
  db: Kysely<Database>,
  file: FileCombination,
  driven: TrackLocation | null,
): Promise<Track | null> {
  const named = await findTracksByName(db, file)
  const isThere = ({ location }: Track) =>
    driven !== null && location !== null && isSameLocation(driven, location)
  const canBeThere = ({ location }: Track) => driven === null || location === null
  const found = named.find(isThere) ?? named.find(canBeThere) ?? named.find(track => track.isOwn)
  if (found !== undefined || driven === null) return found ?? null
  const numbered = (await findLocatedTracksByNumber(db, file)).find(isThere)
  if (numbered !== undefined || named.length === 0) return numbered ?? null
  const known = await findKnownByName(db, file)
  return named.find(({ id }) => id === known) ?? null
}

/**
 * Finds the combination of a file's names and number on a track, or inserts it.
 *
 * @param track the result of `findTrack` for the same file
 */
export async function findOrCreateCombination(
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

  const board = on === null ? null : await findBoard(trx, on.id, file.car_slug)
  const made = await insertCombination(trx, file, {
    trackId: on?.id ?? null,
    combinationId: board?.combinationId ?? null,
  })
  return { ...made, isNew: true }
}

/** Lets one transaction at a time insert, so that two first files do not make two boards of one. */
async function lockCombinations(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('ingest combination'))`.execute(trx)
}

/** Inserts a combination. Null as an id makes a new track or board. */
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

/** Returns the track that owns the name. Inserts it if only other tracks have used it; null if none has. */
export async function findOrCreateOwnTrack(
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

/** Returns tracks of that name: those with the same number first, then the owner of the name. */
async function findTracksByName(
  db: Kysely<Database>,
  { sim, track_slug, layout, sim_track_id }: FileCombination,
): Promise<readonly (Track & { readonly isOwn: boolean })[]> {
  const { rows } = await sql<TrackRow & { readonly is_own: boolean }>`
    select track.id, bool_or(track.track_slug = named.track_slug) as is_own,
      track_place.lat, track_place.lon, track_place.length_m
    from combination named join combination track on track.id = named.track_id
      left join track_place on track_place.track_id = track.id
    where named.sim = ${sim} and named.track_slug = ${track_slug} and named.layout = ${layout}
    group by track.id, track_place.track_id
    order by bool_or(named.sim_track_id = ${sim_track_id}) desc, is_own desc, track.id`.execute(db)
  return rows.map(row => ({ ...toTrack(row), isOwn: row.is_own }))
}

/**
 * Finds the track that most drivers know by a name of another track; null if they are too few. They count as
 * votes do: only accounts that can vote, one for each known network (D-27).
 */
async function findKnownByName(
  db: Kysely<Database>,
  { sim, track_slug, layout }: FileCombination,
): Promise<number | null> {
  const { rows } = await sql<{ track_id: number }>`
    select named.track_id from combination named
      join standing on standing.board_id = named.board_id and standing.combination_id = named.id
      join person on person.user_id = standing.user_id and person.can_vote
    where named.sim = ${sim} and named.track_slug = ${track_slug} and named.layout = ${layout}
    group by named.track_id having count(distinct person.network) >= ${FEWEST_VOTES}
    order by count(distinct person.network) desc, named.track_id limit 1`.execute(db)
  return rows[0]?.track_id ?? null
}

/** Returns tracks by the number with which they first came. Later numbers do not count. */
async function findLocatedTracksByNumber(
  db: Kysely<Database>,
  { sim, sim_track_id, layout }: FileCombination,
): Promise<readonly Track[]> {
  const { rows } = await sql<TrackRow>`
    select track.id, track_place.lat, track_place.lon, track_place.length_m
    from combination track join track_place on track_place.track_id = track.id
    where track.sim = ${sim} and track.sim_track_id = ${sim_track_id} and track.layout = ${layout}
      and track.id = track.track_id
    order by track.id`.execute(db)
  return rows.map(toTrack)
}

function toTrack({ id, lat, lon, length_m }: TrackRow): Track {
  return { id, location: lat === null ? null : { lat, lon: lon!, lengthM: length_m! } }
}

/** The board of a track and a car. The names are the track's own ones, whatever a file calls it. */
export interface NamedBoard {
  readonly combinationId: number
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
}

/** Returns the board of a track and a car; null if the car has no lap there. */
export async function findBoard(
  db: Kysely<Database>,
  trackId: number,
  carSlug: string,
): Promise<NamedBoard | null> {
  const row = await db
    .selectFrom('combination as board')
    .innerJoin('combination as track', 'track.id', 'board.track_id')
    .select([
      'board.board_id as combinationId',
      'track.sim',
      'track.track_slug',
      'track.layout',
      'board.car_slug',
    ])
    .where('board.track_id', '=', trackId)
    .where('board.car_slug', '=', carSlug)
    .orderBy('board.id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
