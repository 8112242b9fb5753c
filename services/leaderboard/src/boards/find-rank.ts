import type { Db } from '../database.ts'
import { type Board, boardId } from './board.ts'
import type { OrderKey } from './entry.ts'
import { selectRank } from './position-sql.ts'
import { statement } from './statement.ts'

/** Finds the rank of an entry at that position with one statement, at any size of the board. */
export async function findRank(db: Db, board: Board, at: OrderKey): Promise<number> {
  const [found] = await rankOf(db, [boardId(board), at.timeMs, at.recordedUs, at.lapId])
  return found!.rank
}

const rankOf = statement<{ readonly rank: number }>(
  selectRank(
    { board: '$1', timeMs: '$2::int', recordedUs: '$3::bigint', lapId: '$4::uuid' },
    { itself: false },
  ),
)
