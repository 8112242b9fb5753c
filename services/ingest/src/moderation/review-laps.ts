import { acquireAccountLock } from '@lapwing/db'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { isHeldEntry, lapsWithStanding } from '../review/review.repository.ts'
import type { Decision, Review } from '../review/review.ts'
import { publishSoon, refreshStanding } from '../standings/standing.repository.ts'

/** A lap that waits for a moderator's review. */
export interface HeldLap {
  readonly at: Date
  readonly lapId: string
  readonly userId: string
  readonly timeMs: number
  /** Simulator, track, layout and car. */
  readonly board: string
  /** `BEATS_BOARD`, or codes of soft rules. */
  readonly reasons: readonly string[]
}

/**
 * Lists held laps: the fastest one of each driver and board, and only if it would be a new entry. So every
 * decision matters. The oldest of each driver come first, then the second oldest of each. So no driver can hide
 * those of others.
 */
export async function listHeldLaps(db: Kysely<Database>, limit: number): Promise<readonly HeldLap[]> {
  const { rows } = await sql<HeldLap>`
    select fastest.*,
      concat_ws(' ', combination.sim, combination.track_slug, combination.layout, combination.car_slug) as board
    from (${fastestHeld}) fastest join combination on combination.id = "combinationId"
    order by row_number() over (partition by "userId" order by at, "lapId"), at, "lapId"
    limit ${limit}`.execute(db)
  return rows
}

/** Returns how many laps `listHeldLaps` would list without a limit, and the age of the oldest in seconds. */
export async function countHeldLaps(
  db: Kysely<Database>,
): Promise<{ readonly laps: number; readonly oldestS: number }> {
  const { rows } = await sql<{ laps: number; oldestS: number }>`
    select count(*)::int as laps, coalesce(extract(epoch from now() - min(at)), 0)::float8 as "oldestS"
    from (${fastestHeld}) fastest`.execute(db)
  return rows[0]!
}

/** SQL: the fastest held lap of each driver and board that would be a new entry. */
const fastestHeld = sql`
  select distinct on (lap.user_id, lap.board_id) lap.recorded_at as at, lap.id as "lapId",
    lap.user_id as "userId", lap.time_ms as "timeMs", lap.review_reasons as reasons,
    lap.combination_id as "combinationId"
  from ${lapsWithStanding} where ${isHeldEntry}
  order by lap.user_id, lap.board_id, lap.time_ms, lap.recorded_at`

/** Result of a decision: no such lap, not a held lap, decided so before, or decided now. */
export type Decided = 'unknown' | 'not_held' | 'before' | 'now'

/**
 * Releases a lap that was held or refused, or refuses any lap. Chooses the driver's best laps again, and
 * stores the moderator, the time and the reason. The sweeper publishes the standing within seconds. Repeating
 * it changes nothing.
 */
export function decideLap(
  db: Kysely<Database>,
  lapId: string,
  { decision, by, why }: { readonly decision: Decision; readonly by: string; readonly why: string },
): Promise<Decided> {
  return db.transaction().execute(async trx => {
    const found = await trx.selectFrom('lap').select('user_id').where('id', '=', lapId).executeTakeFirst()
    if (found === undefined) return 'unknown'
    await acquireAccountLock(trx, found.user_id)
    const lap = await trx
      .selectFrom('lap')
      .select(['board_id', 'combination_id', 'review'])
      .where('id', '=', lapId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (lap === undefined) return 'unknown'
    if (lap.review === decision) return 'before'
    if (!canDecide(decision, lap.review)) return 'not_held'
    await trx.updateTable('lap').set({ review: decision }).where('id', '=', lapId).execute()
    await trx
      .insertInto('lap_decision')
      .values({ lap_id: lapId, decision, decided_by: by, reason: why })
      .execute()
    const key = { userId: found.user_id, combinationId: lap.board_id }
    const { isOpen } = await refreshStanding(trx, key, { id: lap.combination_id, isNew: false })
    if (isOpen) await publishSoon(trx, key)
    return 'now'
  })
}

function canDecide(decision: Decision, review: Review | null): boolean {
  return decision === 'refused' || review !== null
}
