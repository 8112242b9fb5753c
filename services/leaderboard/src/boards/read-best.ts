import { DEMO_USER_PREFIX } from '@lapwing/auth'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { type Board, boardId } from './board.ts'
import { IN_ORDER } from './position-sql.ts'
import { statement } from './statement.ts'

/** What a lap has to be compared with before it enters a board (D-26). */
export interface BoardBest {
  /** Real drivers with a counted entry, at most `MOST_COUNTED`. */
  readonly drivers: number
  /** The fastest counted entry of a real driver other than the one that was named; null without one. */
  readonly bestTimeMs: number | null
}

/** More drivers decide nothing. */
export const MOST_COUNTED = 100

/** Reads the best of a board without its demo drivers. The entries of `exceptUserId` count, but are no best. */
export async function readBest(db: Kysely<Database>, board: Board, exceptUserId: string): Promise<BoardBest> {
  const rows = await selectFirst(db, [boardId(board), `${DEMO_USER_PREFIX}%`, MOST_COUNTED])
  const best = rows.find(({ user_id }) => user_id !== exceptUserId)
  return { drivers: rows.length, bestTimeMs: best?.time_ms ?? null }
}

const selectFirst = statement<{ readonly user_id: string; readonly time_ms: number }>(`
  select driver.user_id, entry.time_ms
  from entry, lateral (
    select user_id from driver where driver.id = entry.driver_id and user_id not like $2 limit 1
  ) driver
  where entry.board_id = $1::int and entry.is_counted
  order by ${IN_ORDER} limit $3::int`)
