import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Me } from './board-api.ts'

/** Who is ahead of the driver in a window of the board, the nearest first; none without an own lap. */
export function rowsAhead({ me, window }: Pick<Me, 'me' | 'window'>): readonly BoardRow[] {
  if (me === null) return []
  return window.filter(row => row.rank < me.rank).sort((a, b) => b.rank - a.rank)
}
