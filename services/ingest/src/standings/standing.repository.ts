import { type Kysely, sql, type Transaction } from 'kysely'
import type { NamedCombination, Standing, StandingLap } from '../clients/leaderboard-client.ts'
import type { Database } from '../database.ts'
import type { Board } from '../ingests/ingest.ts'

/** One driver on the boards of one combination. */
export interface StandingKey {
  readonly userId: string
  readonly combinationId: number
}

export interface BestLap {
  readonly id: string
  readonly timeMs: number
}

export type BestLaps = Readonly<Record<Board, BestLap | null>>

export interface StandingChange {
  readonly before: BestLaps
  readonly after: BestLaps
  /** The current version; null if the driver never had a lap there. */
  readonly version: number | null
  readonly contextId: number | null
  /** Leaderboard has not confirmed the current version. */
  readonly isOpen: boolean
}

/**
 * Chooses a driver's best laps again (D-7, D-8). Makes a new version of the standing if they changed, or if
 * leaderboard has to receive a new name of the track. The transaction must hold the account's lock.
 *
 * @param combination the names that leaderboard receives; left out, those of before
 */
export async function refreshStanding(
  trx: Transaction<Database>,
  key: StandingKey,
  combination?: { readonly id: number; readonly isNew: boolean },
): Promise<StandingChange> {
  const { userId, combinationId } = key
  const row = await trx
    .selectFrom('standing')
    .selectAll()
    .where('user_id', '=', userId)
    .where('board_id', '=', combinationId)
    .executeTakeFirst()
  const before = {
    complete: await findLap(trx, row?.complete_lap_id),
    clean: await findLap(trx, row?.clean_lap_id),
  }
  const after = {
    complete: await findBest(trx, key, 'complete'),
    clean: await findBest(trx, key, 'clean'),
  }
  const ids = { complete_lap_id: after.complete?.id ?? null, clean_lap_id: after.clean?.id ?? null }
  const isSame =
    (row?.complete_lap_id ?? null) === ids.complete_lap_id && (row?.clean_lap_id ?? null) === ids.clean_lap_id
  if (isSame && (row === undefined || combination?.isNew !== true)) {
    return {
      before,
      after,
      version: row?.version ?? null,
      contextId: row?.context_id ?? null,
      isOpen: row !== undefined && row.version > row.confirmed_version,
    }
  }
  const values = {
    ...ids,
    // The caller publishes the change; the sweeper only does if that failed.
    push_after: sql<Date>`now() + interval '6 seconds'`,
    ...(combination === undefined ? {} : { combination_id: combination.id }),
  }
  if (row === undefined) {
    if (combination === undefined) throw new Error('a lap was deleted that had no standing')
    await trx
      .insertInto('standing')
      .values({
        user_id: userId,
        board_id: combinationId,
        combination_id: combination.id,
        version: 1,
        ...values,
      })
      .execute()
    return { before, after, version: 1, contextId: null, isOpen: true }
  }
  // Counted by the database: `renewStandings` changes the version without the account's lock.
  const { version } = await updateStanding(trx, key)
    .set({ ...values, version: sql<number>`version + 1` })
    .returning('version')
    .executeTakeFirstOrThrow()
  return { before, after, version, contextId: row.context_id, isOpen: true }
}

function updateStanding(trx: Transaction<Database>, { userId, combinationId }: StandingKey) {
  return trx.updateTable('standing').where('user_id', '=', userId).where('board_id', '=', combinationId)
}

/**
 * Makes a new version of the standing with a lap, so that leaderboard receives another change of the lap. The
 * transaction must hold the account's lock.
 *
 * @returns whether there is such a standing
 */
export async function renewStanding(
  trx: Transaction<Database>,
  key: StandingKey,
  lapId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await updateStanding(trx, key)
    .set({ version: sql`version + 1`, push_after: sql<Date>`now() + interval '6 seconds'` })
    .where(where => where.or([where('complete_lap_id', '=', lapId), where('clean_lap_id', '=', lapId)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function findLap(trx: Transaction<Database>, id: string | null | undefined): Promise<BestLap | null> {
  if (id === null || id === undefined) return null
  const row = await trx.selectFrom('lap').select('time_ms').where('id', '=', id).executeTakeFirst()
  return row === undefined || row.time_ms === null ? null : { id, timeMs: row.time_ms }
}

async function findBest(
  trx: Transaction<Database>,
  { userId, combinationId }: StandingKey,
  board: Board,
): Promise<BestLap | null> {
  const row = await trx
    .selectFrom('lap')
    .select(['id', 'time_ms'])
    .where('user_id', '=', userId)
    .where('board_id', '=', combinationId)
    .where('counts', '=', true)
    .where('deleted_at', 'is', null)
    // A lap that is held for review or refused is on no board (D-26).
    .where(({ or, eb }) => or([eb('review', 'is', null), eb('review', '=', 'released')]))
    .$if(board === 'clean', query => query.where('is_clean', '=', true))
    .orderBy('time_ms')
    .orderBy('recorded_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, timeMs: row.time_ms! }
}

/**
 * Returns a standing as leaderboard receives it; null if there is none, or leaderboard has confirmed it.
 * Track names and number are those with which the track first came here, not those of the driver's file:
 * another driver's standing can reach leaderboard first.
 */
export async function findOpenStanding(
  db: Kysely<Database>,
  { userId, combinationId }: StandingKey,
): Promise<Standing | null> {
  const { rows } = await sql<{
    version: number
    combination: NamedCombination
    complete: StandingLap | null
    clean: StandingLap | null
  }>`
    select standing.version,
      jsonb_build_object('sim', track.sim, 'track_slug', track.track_slug, 'layout', track.layout,
        'alias_slug', nullif(named.track_slug, track.track_slug), 'track_label', track.track_label,
        'car_slug', named.car_slug, 'car_label', named.car_label,
        'track_id', track.sim_track_id, 'car_id', named.sim_car_id) as combination,
      ${entryOf('complete_lap_id')} as complete,
      ${entryOf('clean_lap_id')} as clean
    from standing join combination named on named.id = standing.combination_id
      join combination track on track.id = named.track_id
    where standing.user_id = ${userId} and standing.board_id = ${combinationId}
      and standing.version > standing.confirmed_version`.execute(db)
  const row = rows[0]
  return row === undefined ? null : { user_id: userId, ...row }
}

/** SQL: the entry of one board. Both boards are read in one statement, so they are consistent. */
function entryOf(column: 'complete_lap_id' | 'clean_lap_id') {
  return sql<StandingLap | null>`(select jsonb_build_object('lap_id', lap.id, 'time_ms', lap.time_ms,
    'recorded_at', to_char(lap.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'is_clean', lap.is_clean, 'session_kind', lap.session_kind, 'air_temp_c', lap.air_temp_c,
    'skies', lap.skies,
    'driven_at', to_char(lap.driven_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || case when lap.reference_allowed and lap.series_key is not null then '{}'
      else '{"reference_available": false}' end::jsonb from lap where lap.id = standing.${sql.ref(column)})`
}

/** Stores that leaderboard has confirmed the version; a later confirmed version stays. */
export async function confirmStanding(
  trx: Transaction<Database>,
  key: StandingKey,
  { version, contextId }: { readonly version: number; readonly contextId: number },
): Promise<void> {
  await updateStanding(trx, key)
    .set({ confirmed_version: sql`greatest(confirmed_version, ${version})`, context_id: contextId })
    .execute()
}

/**
 * Stores a standing without laps if there is none; it is not published. The search by board then finds a
 * driver whose laps there are all held.
 */
export async function startStanding(
  trx: Transaction<Database>,
  { userId, combinationId }: StandingKey,
  namedId: number,
): Promise<void> {
  await trx
    .insertInto('standing')
    .values({ user_id: userId, board_id: combinationId, combination_id: namedId, version: 0 })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Makes the standing due for the next sweep, because no other caller publishes it. */
export async function publishSoon(trx: Transaction<Database>, key: StandingKey): Promise<void> {
  await updateStanding(trx, key).set({ push_after: sql`now()` }).execute()
}

/** Reserves unconfirmed standings for `forMs`, so that no other process publishes them. */
export async function reserveOpenStandings(
  db: Kysely<Database>,
  { limit, forMs }: { readonly limit: number; readonly forMs: number },
): Promise<readonly StandingKey[]> {
  const { rows } = await sql<StandingKey>`
    update standing set push_after = now() + ${forMs} * interval '1 millisecond'
    where (user_id, board_id) in (
      select user_id, board_id from standing
      where version > confirmed_version and push_after <= now()
      order by push_after limit ${limit} for update skip locked)
    returning user_id as "userId", board_id as "combinationId"`.execute(db)
  return rows
}

/**
 * Makes a new version of every published standing, so that leaderboard receives all facts of its laps again. Takes no
 * lock for long: each statement changes `batch` rows. Returns their number.
 */
export async function renewStandings(
  db: Kysely<Database>,
  { batch = 1000 }: { readonly batch?: number } = {},
): Promise<number> {
  let renewed = 0
  let last: Part | undefined = { user_id: '', board_id: 0, changed: 0 }
  while (last !== undefined) {
    const { rows }: { rows: Part[] } = await sql<Part>`
      with part as materialized (select user_id, board_id from standing
        where (user_id, board_id) > (${last.user_id}, ${last.board_id}) order by user_id, board_id limit ${batch}),
      changed as (update standing set version = version + 1, push_after = now() from part
        where (standing.user_id, standing.board_id) = (part.user_id, part.board_id) and version > 0 returning 1)
      select user_id, board_id, (select count(*)::int from changed) as changed
      from part order by user_id desc, board_id desc limit 1`.execute(db)
    last = rows[0]
    renewed += last?.changed ?? 0
  }
  return renewed
}

interface Part {
  readonly user_id: string
  readonly board_id: number
  readonly changed: number
}
