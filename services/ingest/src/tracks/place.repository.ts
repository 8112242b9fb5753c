import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { fewestDrivers, type Place } from './place.ts'

/** Of a lap whose place is not where its track is. Kept beside the verdicts of the file. */
export const elsewhere = 'ELSEWHERE'

/** Remembers where a driver drove a track, while its place is not known; the last of their files counts. */
export async function keepWitness(
  trx: Transaction<Database>,
  { trackId, userId, place }: { readonly trackId: number; readonly userId: string; readonly place: Place },
): Promise<void> {
  await sql`insert into track_witness (track_id, user_id, lat, lon, length_m)
    select ${trackId}, ${userId}, ${place.lat}, ${place.lon}, ${place.lengthM}
    where not exists (select from track_place where track_id = ${trackId})
    on conflict (track_id, user_id) do update set lat = excluded.lat, lon = excluded.lon,
      length_m = excluded.length_m`.execute(trx)
}

/** Tracks of which as many drivers have told a place as it takes. */
export async function findWitnessedTracks(db: Kysely<Database>): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('track_witness')
    .select('track_id')
    .groupBy('track_id')
    .having(({ fn }) => fn.countAll(), '>=', fewestDrivers)
    .execute()
  return rows.map(row => row.track_id)
}

/** One a driver, those of the first drivers; more than `limit` are not needed to agree. */
export async function findWitnesses(
  db: Kysely<Database>,
  trackId: number,
  limit: number,
): Promise<readonly Place[]> {
  const rows = await db
    .selectFrom('track_witness')
    .select(['lat', 'lon', 'length_m'])
    .where('track_id', '=', trackId)
    .limit(limit)
    .execute()
  return rows.map(({ lat, lon, length_m }) => ({ lat, lon, lengthM: length_m }))
}

/** From now on a track is there; what drivers said of it is not needed any more. */
export async function placeTrack(db: Kysely<Database>, trackId: number, place: Place): Promise<void> {
  const where = { lat: place.lat, lon: place.lon, length_m: place.lengthM }
  await db.transaction().execute(async trx => {
    await trx
      .insertInto('track_place')
      .values({ track_id: trackId, ...where })
      .onConflict(conflict =>
        conflict.column('track_id').doUpdateSet({ ...where, agreed_at: sql`now()`, is_applied: false }),
      )
      .execute()
    await trx.deleteFrom('track_witness').where('track_id', '=', trackId).execute()
  })
}

export interface PlacedTrack {
  readonly trackId: number
  readonly place: Place
  readonly agreedAt: Date
}

/** Tracks whose place was told a short while ago, so that laps from before it may stand for another. */
export async function findNewlyPlaced(db: Kysely<Database>): Promise<readonly PlacedTrack[]> {
  const rows = await db.selectFrom('track_place').selectAll().where('is_applied', '=', false).execute()
  return rows.map(({ track_id, lat, lon, length_m, agreed_at }) => ({
    trackId: track_id,
    place: { lat, lon, lengthM: length_m },
    agreedAt: agreed_at,
  }))
}

/**
 * Every file that was being recorded when the place was told has ended since, and was looked at. Nothing is
 * written where another place was told meanwhile.
 */
export async function endApplying(db: Kysely<Database>, { trackId, agreedAt }: PlacedTrack): Promise<void> {
  await sql`update track_place set is_applied = true
    where track_id = ${trackId} and date_trunc('milliseconds', agreed_at) = ${agreedAt}
      and agreed_at < now() - interval '1 minute'`.execute(db)
}

/** Who has laps of a track, by the boards of which they are. */
export async function findDriversOf(
  db: Kysely<Database>,
  trackId: number,
): Promise<readonly { readonly userId: string; readonly boardId: number }[]> {
  const rows = await db
    .selectFrom('standing')
    .innerJoin('combination', 'combination.id', 'standing.board_id')
    .select(['standing.user_id as userId', 'standing.board_id as boardId'])
    .where('combination.track_id', '=', trackId)
    .execute()
  return rows
}

/** A lap that counts, or would if it were not elsewhere. */
export interface PlacedLap {
  readonly id: string
  readonly place: Place
  readonly isElsewhere: boolean
}

/** Laps whose place is not known are left out. */
export async function findPlacedLaps(
  trx: Transaction<Database>,
  { userId, boardId }: { readonly userId: string; readonly boardId: number },
): Promise<readonly PlacedLap[]> {
  const { rows } = await sql<{
    id: string
    line_lat: number
    line_lon: number
    length_m: number
    is_elsewhere: boolean
  }>`
    select id, line_lat, line_lon, length_m, ${elsewhere} = any(reasons) as is_elsewhere from lap
    where user_id = ${userId} and board_id = ${boardId} and deleted_at is null and line_lat is not null
      and (counts or ${elsewhere} = any(reasons))`.execute(trx)
  return rows.map(({ id, line_lat, line_lon, length_m, is_elsewhere }) => ({
    id,
    place: { lat: line_lat, lon: line_lon, lengthM: length_m },
    isElsewhere: is_elsewhere,
  }))
}

/** Such laps stand on no board. */
export async function markElsewhere(trx: Transaction<Database>, lapIds: readonly string[]): Promise<void> {
  await sql`update lap set counts = false, is_clean = false, reasons = array_append(reasons, ${elsewhere})
    where id = any(${[...lapIds]}) and counts`.execute(trx)
}

/** As they were before. */
export async function unmarkElsewhere(trx: Transaction<Database>, lapIds: readonly string[]): Promise<void> {
  await sql`update lap set counts = true, is_clean = cardinality(reasons) = 1,
      reasons = array_remove(reasons, ${elsewhere})
    where id = any(${[...lapIds]}) and ${elsewhere} = any(reasons)`.execute(trx)
}

/** The track of a lap and where it was driven; null where there is no such lap or it does not say. */
export async function findPlaceOfLap(
  db: Kysely<Database>,
  lapId: string,
): Promise<{ readonly trackId: number; readonly place: Place } | null> {
  const row = await db
    .selectFrom('lap')
    .innerJoin('combination', 'combination.id', 'lap.combination_id')
    .select(['combination.track_id', 'lap.line_lat', 'lap.line_lon', 'lap.length_m'])
    .where('lap.id', '=', lapId)
    .executeTakeFirst()
  if (row === undefined || row.line_lat === null || row.line_lon === null || row.length_m === null)
    return null
  return { trackId: row.track_id, place: { lat: row.line_lat, lon: row.line_lon, lengthM: row.length_m } }
}
