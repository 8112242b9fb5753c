import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { JudgedLap, LapSeries } from '../judging/judged-file.ts'
import type { Review } from '../review/review.ts'

/** Returns the key of a lap's series. The hash of the content is part of it, so an object never changes. */
export function seriesKey({ lapId, hash }: LapSeries): string {
  return `${SERIES_PREFIX}${lapId}/${hash}`
}

export const SERIES_PREFIX = 'laps/'

export interface LapsOwner {
  readonly ingestId: string
  readonly userId: string
  readonly combinationId: number
  readonly namedId: number
}

/** A lap of a file with the result of its review. */
export interface ReviewedLap extends JudgedLap {
  readonly review: 'held' | null
  readonly reviewReasons: readonly string[]
}

/** Writes the laps of a file in its order. A lap that exists already stays as it is. */
export async function insertLaps(
  trx: Transaction<Database>,
  owner: LapsOwner,
  laps: readonly ReviewedLap[],
  series: readonly LapSeries[],
): Promise<void> {
  const seriesOf = new Map(series.map(one => [one.lapId, one]))
  for (let from = 0; from < laps.length; from += LAPS_A_STATEMENT) {
    const rows = laps.slice(from, from + LAPS_A_STATEMENT).map(lap => {
      const stored = seriesOf.get(lap.id)
      return {
        id: lap.id,
        ingest_id: owner.ingestId,
        user_id: owner.userId,
        board_id: owner.combinationId,
        combination_id: owner.namedId,
        lap_no: lap.lapNo,
        time_ms: lap.timeMs,
        time_source: lap.timeSource,
        is_completed: lap.isCompleted,
        is_clean: lap.isClean,
        counts: lap.counts,
        reasons: [...lap.reasons],
        review: lap.review,
        review_reasons: [...lap.reviewReasons],
        is_fingerprinted: true,
        series_key: stored === undefined ? null : seriesKey(stored),
        series_hash: stored === undefined ? null : stored.hash,
        line_lat: lap.location?.lat ?? null,
        line_lon: lap.location?.lon ?? null,
        length_m: lap.location?.lengthM ?? null,
        driven_at: isCredible(lap.drivenAt) ? lap.drivenAt : null,
        session_kind: lap.sessionKind,
        air_temp_c: lap.airTempC,
        skies: lap.skies,
      }
    })
    await trx
      .insertInto('lap')
      .values(rows)
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute()
  }
}

/** Returns whether a time can be right. A driver's clock can be wrong, and a time zone adds a day at most. */
function isCredible(drivenAt: Date | null): boolean {
  return drivenAt !== null && drivenAt.getTime() <= Date.now() + DAY_MS
}

const DAY_MS = 24 * 3600 * 1000

/** A statement has at most 65,535 parameters. */
const LAPS_A_STATEMENT = 2_000

/** A lap of the driver, as the list shows it. */
export type OwnLap = Awaited<ReturnType<typeof findOwnLap>> & object

/** Returns a lap of the driver; null if there is none or it was deleted. */
export async function findOwnLap(db: Kysely<Database>, { userId, lapId }: LapOfUser) {
  const lap = await ownLaps(db, userId).where('lap.id', '=', lapId).executeTakeFirst()
  return lap ?? null
}

export interface LapOfUser {
  readonly userId: string
  readonly lapId: string
}

/** The last lap of a page of the list. */
export interface LapPosition {
  /** RFC 3339 with microseconds. */
  readonly recordedAt: string
  readonly lapId: string
}

/**
 * Returns laps of the driver after `after`, the newest first. With `review`, only laps of that review; with `hasSeries`,
 * only laps with stored series.
 */
export function findOwnLaps(
  db: Kysely<Database>,
  userId: string,
  {
    limit,
    after,
    review = null,
    hasSeries = false,
  }: {
    readonly limit: number
    readonly after: LapPosition | null
    readonly review?: Review | null
    readonly hasSeries?: boolean
  },
) {
  return ownLaps(db, userId)
    .$if(review !== null, query => query.where('lap.review', '=', review))
    .$if(hasSeries, query => query.where('lap.series_key', 'is not', null))
    .$if(after !== null, query =>
      query.where(
        sql<boolean>`(lap.recorded_at, lap.id) < (${after?.recordedAt}::timestamptz, ${after?.lapId}::uuid)`,
      ),
    )
    .orderBy('lap.recorded_at', 'desc')
    .orderBy('lap.id', 'desc')
    .limit(limit)
    .execute()
}

function ownLaps(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('lap')
    .innerJoin('combination', 'combination.id', 'lap.combination_id')
    .leftJoin('standing', join =>
      join.onRef('standing.user_id', '=', 'lap.user_id').onRef('standing.board_id', '=', 'lap.board_id'),
    )
    .where('lap.user_id', '=', userId)
    .where('lap.deleted_at', 'is', null)
    .select([
      'lap.id',
      'lap.ingest_id',
      'lap.lap_no',
      'lap.time_ms',
      'lap.time_source',
      'lap.is_completed',
      'lap.is_clean',
      'lap.reasons',
      'lap.review',
      'lap.reference_allowed',
      'lap.series_key',
      'standing.complete_lap_id',
      'standing.clean_lap_id',
      'combination.sim',
      'combination.track_slug',
      'combination.layout',
      'combination.car_slug',
      'combination.track_label',
      'combination.car_label',
      sql<string>`to_char(lap.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as(
        'recorded_at',
      ),
      'lap.driven_at',
      'lap.session_kind',
      'lap.air_temp_c',
      'lap.skies',
    ])
}

/** Allows or forbids the lap as a reference. Returns its board; null if there is no such lap or no change. */
export async function allowReference(
  db: Kysely<Database>,
  { userId, lapId }: LapOfUser,
  isAllowed: boolean,
): Promise<number | null> {
  const changed = await db
    .updateTable('lap')
    .set({ reference_allowed: isAllowed })
    .where('id', '=', lapId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('reference_allowed', '!=', isAllowed)
    .returning('board_id')
    .executeTakeFirst()
  return changed?.board_id ?? null
}

/**
 * Clears what the row says about a lap. The row stays, so that the same file cannot bring the lap back and a
 * second deletion answers the same. The next sweep removes its series. Null if there never was such a lap.
 */
export async function forgetLap(
  trx: Transaction<Database>,
  { userId, lapId }: LapOfUser,
): Promise<{ readonly combinationId: number } | null> {
  const lap = await trx
    .selectFrom('lap')
    .select(['board_id', 'series_key', 'deleted_at'])
    .where('id', '=', lapId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (lap === undefined) return null
  if (lap.deleted_at !== null) return { combinationId: lap.board_id }
  if (lap.series_key !== null) await removeLater(trx, [lap.series_key])
  await trx
    .updateTable('lap')
    .set({
      deleted_at: sql`now()`,
      time_ms: null,
      time_source: null,
      reasons: [],
      is_completed: false,
      is_clean: false,
      counts: false,
      series_key: null,
      series_hash: null,
      line_lat: null,
      line_lon: null,
      length_m: null,
      driven_at: null,
      session_kind: null,
      air_temp_c: null,
      skies: null,
    })
    .where('id', '=', lapId)
    .execute()
  return { combinationId: lap.board_id }
}

/** Stores the keys of objects that a sweep shall remove. */
async function removeLater(trx: Transaction<Database>, keys: readonly string[]): Promise<void> {
  await trx
    .insertInto('object_removal')
    .values(keys.map(key => ({ key })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Returns what is needed to send a lap's series; null if there is no such lap. */
export async function findReference(db: Kysely<Database>, lapId: string) {
  const lap = await db
    .selectFrom('lap')
    .select(['user_id', 'review', 'reference_allowed', 'series_key', 'series_hash'])
    .where('id', '=', lapId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return lap ?? null
}

/** Returns those of the keys that belong to a lap. */
export async function findStoredSeries(
  db: Kysely<Database>,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('lap')
    .select('series_key')
    .where(sql<boolean>`series_key = any(${[...keys]})`)
    .execute()
  return new Set(rows.map(row => row.series_key!))
}
