import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { StandingKey } from '../standings/standing.repository.ts'
import type { Limits } from './review.ts'

/**
 * Lowers limits to the driver's best released lap. So a driver who is far ahead of all others does not wait
 * for a moderator again with each better lap.
 */
export async function withReleased(
  trx: Transaction<Database>,
  { userId, combinationId }: StandingKey,
  limits: Limits,
): Promise<Limits> {
  if (limits.complete === null && limits.clean === null) return limits
  const { rows } = await sql<Limits>`
    select min(time_ms) as complete, min(time_ms) filter (where is_clean) as clean from lap
    where user_id = ${userId} and board_id = ${combinationId} and review = 'released' and counts
      and deleted_at is null`.execute(trx)
  const lower = (limit: number | null, own: number | null) =>
    limit === null || own === null ? limit : Math.min(limit, own)
  return {
    complete: lower(limits.complete, rows[0]!.complete),
    clean: lower(limits.clean, rows[0]!.clean),
  }
}

/** SQL: whether a lap is held and would be a new entry of its driver. Needs the joined `standing`. */
export const isHeldEntry = sql<boolean>`(lap.review = 'held' and lap.counts and lap.deleted_at is null and (
  lap.time_ms < coalesce((select time_ms from lap best where best.id = standing.complete_lap_id), 2147483647)
  or lap.is_clean
    and lap.time_ms < coalesce((select time_ms from lap best where best.id = standing.clean_lap_id), 2147483647)))`

/** SQL: laps with the standing of their driver on the same board. */
export const lapsWithStanding = sql`lap left join standing
  on standing.user_id = lap.user_id and standing.board_id = lap.board_id`

/** The state of laps that were recorded before. */
export interface KnownLaps {
  /** The fastest held lap that would be a new entry; null without one. */
  readonly heldLapId: string | null
  readonly contextId: number | null
}

/**
 * Returns the state of recorded laps.
 *
 * @param which SQL: a condition on `lap`
 */
export async function findKnownLaps(
  trx: Transaction<Database>,
  which: RawBuilder<boolean>,
): Promise<KnownLaps> {
  const { rows } = await sql<{ id: string; context_id: number | null; is_held: boolean }>`
    select lap.id, standing.context_id, ${isHeldEntry} as is_held from ${lapsWithStanding} where ${which}
    order by ${isHeldEntry} desc, lap.time_ms, lap.id limit 1`.execute(trx)
  const first = rows[0]
  return {
    heldLapId: first?.is_held ? first.id : null,
    contextId: first?.context_id ?? null,
  }
}
