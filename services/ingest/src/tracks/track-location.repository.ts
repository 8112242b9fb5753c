import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { TrackName } from './combination.repository.ts'
import { isSameLocation, type TrackLocation } from './track-location.ts'

/** The reason of a lap that was not driven at the location of its track; stored with the file's reasons. */
export const elsewhere = 'ELSEWHERE'

/**
 * Stores a driver's vote on the track location; that of their last file counts. Once the location is known,
 * only votes for another one are stored, for moderators.
 */
export async function storeVote(
  trx: Transaction<Database>,
  vote: { readonly trackId: number; readonly userId: string; readonly location: TrackLocation },
): Promise<void> {
  const { trackId, userId, location } = vote
  const known = await findTrackLocation(trx, trackId)
  if (known !== null && isSameLocation(location, known)) {
    await sql`delete from track_witness where track_id = ${trackId} and user_id = ${userId}`.execute(trx)
    return
  }
  await sql`insert into track_witness (track_id, user_id, lat, lon, length_m)
    values (${trackId}, ${userId}, ${location.lat}, ${location.lon}, ${location.lengthM})
    on conflict (track_id, user_id) do update set lat = excluded.lat, lon = excluded.lon,
      length_m = excluded.length_m, is_counted = false`.execute(trx)
}

/** Marks the votes of an account to be counted again, because it has gained or lost its vote. */
export async function recountVotesOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`update track_witness set is_counted = false where user_id = ${userId}`.execute(trx)
}

/**
 * Locks a track with uncounted votes and marks them as counted. Null if there is none, or if another
 * transaction is counting or changing them.
 */
export async function lockVotedTrack(trx: Transaction<Database>): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from combination where id = (select track_id from track_witness where not is_counted limit 1)
    for no key update skip locked`.execute(trx)
  const trackId = rows[0]?.id
  if (trackId === undefined) return null
  const { numAffectedRows } = await sql`update track_witness set is_counted = true
    where (track_id, user_id) in (
      select track_id, user_id from track_witness where track_id = ${trackId} and not is_counted
      for update skip locked)`.execute(trx)
  return numAffectedRows === 0n ? null : trackId
}

/**
 * Returns the valid votes on a track location: one for each network, that of the oldest verified account
 * (D-27). All accounts without a known network have one vote together. More than `limit` votes are not needed
 * to agree.
 */
export async function findVotes(
  db: Kysely<Database>,
  trackId: number,
  limit: number,
): Promise<readonly TrackLocation[]> {
  const { rows } = await sql<TrackLocation>`
    select distinct on (person.network) witness.lat, witness.lon, witness.length_m as "lengthM"
    from track_witness witness join person on person.user_id = witness.user_id
    where witness.track_id = ${trackId} and person.can_vote
    order by person.network, person.account_created_at, person.user_id limit ${limit}`.execute(db)
  return rows
}

/**
 * Stores the location that drivers agreed on. A known location stays. Laps that were recorded before also
 * stay: votes hide none (D-27), so there is nothing to apply.
 */
export async function storeAgreedLocation(
  trx: Transaction<Database>,
  trackId: number,
  { lat, lon, lengthM }: TrackLocation,
): Promise<void> {
  await trx
    .insertInto('track_place')
    .values({ track_id: trackId, lat, lon, length_m: lengthM, is_applied: true })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await forgetAgreeing(trx, trackId)
}

/** Stores the location that a moderator decided on. The sweeper applies it to all laps. */
export async function setTrackLocation(
  trx: Transaction<Database>,
  trackId: number,
  { lat, lon, lengthM }: TrackLocation,
): Promise<void> {
  const where = { lat, lon, length_m: lengthM }
  await trx
    .insertInto('track_place')
    .values({ track_id: trackId, ...where })
    .onConflict(conflict =>
      conflict.column('track_id').doUpdateSet({ ...where, agreed_at: sql`now()`, is_applied: false }),
    )
    .execute()
  await forgetVotes(trx, trackId)
}

/** Deletes the votes for the known location. Votes for another one stay, for moderators. */
async function forgetAgreeing(trx: Transaction<Database>, trackId: number): Promise<void> {
  const location = await findTrackLocation(trx, trackId)
  const { rows } = await sql<TrackLocation & { user_id: string }>`
    select user_id, lat, lon, length_m as "lengthM" from track_witness where track_id = ${trackId}
    for update skip locked`.execute(trx)
  const agreeing = rows.filter(vote => location !== null && isSameLocation(vote, location))
  await sql`delete from track_witness where track_id = ${trackId}
    and user_id = any(${agreeing.map(row => row.user_id)})`.execute(trx)
}

/** Deletes all votes but those that another transaction is writing, so no deadlock is possible. */
async function forgetVotes(trx: Transaction<Database>, trackId: number): Promise<void> {
  await sql`delete from track_witness
    where (track_id, user_id) in (
      select track_id, user_id from track_witness where track_id = ${trackId} for update skip locked)`.execute(
    trx,
  )
}

export interface LocatedTrack {
  readonly trackId: number
  readonly location: TrackLocation
  readonly agreedAt: Date
  /** Every file that was being recorded when the location was set has ended since. */
  readonly isSettled: boolean
}

/** Returns the tracks with a moderator's location that was not applied to all laps yet. */
export async function findNewlyLocated(db: Kysely<Database>): Promise<readonly LocatedTrack[]> {
  const rows = await db
    .selectFrom('track_place')
    .select([...locationColumns, 'track_id as trackId', 'agreed_at as agreedAt'])
    .select(sql<boolean>`agreed_at < now() - interval '1 minute'`.as('isSettled'))
    .where('is_applied', '=', false)
    .execute()
  return rows.map(({ lat, lon, lengthM, ...track }) => ({ ...track, location: { lat, lon, lengthM } }))
}

const locationColumns = ['lat', 'lon', 'length_m as lengthM'] as const

/** Stores that the location was applied to all laps. Does nothing if it was set again meanwhile. */
export async function endApplying(db: Kysely<Database>, { trackId, agreedAt }: LocatedTrack): Promise<void> {
  await sql`update track_place set is_applied = true
    where track_id = ${trackId} and date_trunc('milliseconds', agreed_at) = ${agreedAt}`.execute(db)
}

/** Returns the track location; null while drivers have not agreed. */
export async function findTrackLocation(
  db: Kysely<Database>,
  trackId: number,
): Promise<TrackLocation | null> {
  const location = await db
    .selectFrom('track_place')
    .select(locationColumns)
    .where('track_id', '=', trackId)
    .executeTakeFirst()
  return location ?? null
}

/** A track with a location, by its own names. */
export interface KnownLocation {
  readonly trackId: number
  readonly track: TrackName
  readonly location: TrackLocation
}

/** Returns tracks with a location in the order of ids, after the id `after`. */
export async function findLocatedTracks(
  db: Kysely<Database>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly KnownLocation[]> {
  const rows = await db
    .selectFrom('track_place')
    .innerJoin('combination', 'combination.id', 'track_place.track_id')
    .select([...locationColumns, 'track_place.track_id as trackId', 'sim', 'track_slug', 'layout'])
    .where('track_place.track_id', '>', after)
    .orderBy('track_place.track_id')
    .limit(limit)
    .execute()
  return rows.map(({ trackId, sim, track_slug, layout, ...location }) => ({
    trackId,
    track: { sim, track_slug, layout },
    location,
  }))
}

/** Returns the laps that drivers have on a board, with their locations. */
export async function findLapsOnBoard(
  db: Kysely<Database>,
  { userIds, combinationId }: { readonly userIds: readonly string[]; readonly combinationId: number },
): Promise<readonly { readonly id: string; readonly location: TrackLocation | null }[]> {
  const { rows } = await sql<LapLocationRow & { id: string }>`
    select lap.id, line_lat, line_lon, lap.length_m from standing
      join lap on lap.id in (standing.complete_lap_id, standing.clean_lap_id)
    where standing.user_id = any(${[...userIds]}) and standing.board_id = ${combinationId}`.execute(db)
  return rows.map(row => ({ id: row.id, location: toLapLocation(row) }))
}

/** Lists the drivers who have or had laps on the boards of a track: each board in pages, in the order of ids. */
export async function* pagesOfDrivers(db: Kysely<Database>, trackId: number) {
  const boards = await db
    .selectFrom('combination')
    .select('board_id')
    .distinct()
    .where('track_id', '=', trackId)
    .execute()
  for (const { board_id: combinationId } of boards) {
    let userIds: readonly string[] = []
    do {
      const rows = await db
        .selectFrom('standing')
        .select('user_id')
        .where('board_id', '=', combinationId)
        .where('user_id', '>', userIds.at(-1) ?? '')
        .orderBy('user_id')
        .limit(DRIVERS_A_PAGE)
        .execute()
      userIds = rows.map(row => row.user_id)
      yield { userIds, combinationId }
    } while (userIds.length === DRIVERS_A_PAGE)
  }
}

const DRIVERS_A_PAGE = 500

/** A lap that counts, or would count if it were not elsewhere. */
export interface LocatedLap {
  readonly id: string
  readonly userId: string
  /** Null if its file does not have it. */
  readonly location: TrackLocation | null
  readonly isElsewhere: boolean
}

export async function findLocatedLaps(
  db: Kysely<Database>,
  { userIds, combinationId }: { readonly userIds: readonly string[]; readonly combinationId: number },
): Promise<readonly LocatedLap[]> {
  const { rows } = await sql<LapLocationRow & Omit<LocatedLap, 'location'>>`
    select id, user_id as "userId", line_lat, line_lon, length_m, ${elsewhere} = any(reasons) as "isElsewhere"
    from lap
    where user_id = any(${[...userIds]}) and board_id = ${combinationId} and deleted_at is null
      and (counts or ${elsewhere} = any(reasons))`.execute(db)
  return rows.map(({ id, userId, isElsewhere, ...row }) => ({
    id,
    userId,
    location: toLapLocation(row),
    isElsewhere,
  }))
}

/** Marks laps as driven elsewhere: they count on no board. */
export async function markElsewhere(trx: Transaction<Database>, lapIds: readonly string[]): Promise<void> {
  await sql`update lap set counts = false, is_clean = false, reasons = array_append(reasons, ${elsewhere})
    where id = any(${[...lapIds]}) and counts`.execute(trx)
}

/** Removes the mark, so that the laps count as before. */
export async function unmarkElsewhere(trx: Transaction<Database>, lapIds: readonly string[]): Promise<void> {
  await sql`update lap set counts = true, is_clean = cardinality(reasons) = 1,
      reasons = array_remove(reasons, ${elsewhere})
    where id = any(${[...lapIds]}) and ${elsewhere} = any(reasons)`.execute(trx)
}

/** Returns the track of a lap and the lap's own location, which can be null. Null if there is no such lap. */
export async function findTrackOfLap(
  db: Kysely<Database>,
  lapId: string,
): Promise<{ readonly trackId: number; readonly location: TrackLocation | null } | null> {
  const row = await db
    .selectFrom('lap')
    .innerJoin('combination', 'combination.id', 'lap.combination_id')
    .select(['combination.track_id', 'lap.line_lat', 'lap.line_lon', 'lap.length_m'])
    .where('lap.id', '=', lapId)
    .executeTakeFirst()
  return row === undefined ? null : { trackId: row.track_id, location: toLapLocation(row) }
}

export interface LapLocationRow {
  readonly line_lat: number | null
  readonly line_lon: number | null
  readonly length_m: number | null
}

/** Returns the location of a lap; null if its file did not have it. */
export function toLapLocation({
  line_lat: lat,
  line_lon: lon,
  length_m,
}: LapLocationRow): TrackLocation | null {
  return lat === null || lon === null || length_m === null ? null : { lat, lon, lengthM: length_m }
}
