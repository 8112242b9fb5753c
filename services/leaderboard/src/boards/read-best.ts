import { DEMO_USER_PREFIX } from '@lapwing/auth'
import type { components } from '@lapwing/contracts/internal'
import type { Db } from '../database.ts'
import { type Board, boardId } from './board.ts'
import { IN_ORDER } from './position-sql.ts'
import { statement } from './statement.ts'

/** Facts about a board with which ingest compares a new lap (D-26). */
type BoardBest = components['schemas']['BoardBest']

/** A larger number of drivers would not change the decision. */
const MOST_COUNTED = 100

/**
 * Reads the fastest visible entry of a board without demo drivers. `exceptUserId` counts as a driver, but
 * not as the best.
 */
export async function readBest(db: Db, board: Board, exceptUserId: string): Promise<BoardBest> {
  const rows = await selectFirst(db, [boardId(board), `${DEMO_USER_PREFIX}%`, MOST_COUNTED])
  const best = rows.find(({ user_id }) => user_id !== exceptUserId)
  return { drivers: rows.length, best_time_ms: best?.time_ms ?? null }
}

const selectFirst = statement<{ readonly user_id: string; readonly time_ms: number }>(`
  select driver.user_id, entry.time_ms
  from entry, lateral (
    select user_id from driver where driver.id = entry.driver_id and user_id not like $2 limit 1
  ) driver
  where entry.board_id = $1::int and entry.is_counted
  order by ${IN_ORDER} limit $3::int`)
