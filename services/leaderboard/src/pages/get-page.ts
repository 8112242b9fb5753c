import { AppError } from '@lapwing/http'
import { timed } from '@lapwing/metrics'
import { rankSeconds } from '../boards/rank-seconds.ts'
import { readPageAfter, readPageAt } from '../boards/read-page.ts'
import { findTime } from '../boards/read-window.ts'
import { hasLaps } from '../contexts/contexts.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { answerRows } from './answer-row.ts'
import { fromCursor, toCursor } from './cursor.ts'

/**
 * Replies with a page by offset, or by the cursor of the page before. If both are sent, the cursor counts.
 */
export function getPage({ db, requirePrincipal, contexts, windows }: Deps): HandlerOf<'getPage'> {
  return async request => {
    const { userId } = await requirePrincipal(request, 'leaderboard:read')
    const { limit: size = 50, offset: skip = 0, cursor, delta_reference: reference = 'p1' } = request.query
    const after = cursor === undefined ? null : fromCursor(cursor)
    const contextId = await contexts.find(request.query)
    if (contextId === null) throw new AppError('leaderboard.no_laps')
    const board = { contextId, board: request.query.board ?? 'complete' }

    const [page, userTimeMs] = await windows.read(board, [
      after === null
        ? {
            key: `page:${skip}:${size}`,
            load: () => timed(rankSeconds, { query: 'page' }, () => readPageAt(db, board, { skip, size })),
          }
        : {
            key: `after:${toCursor(after)}:${size}`,
            load: () =>
              timed(rankSeconds, { query: 'page_after' }, () => readPageAfter(db, board, { after, size })),
          },
      {
        key: `time:${userId}`,
        load: () => timed(rankSeconds, { query: 'time' }, () => findTime(db, board, userId)),
      },
    ])
    if (page.total === 0 && !(await hasLaps(db, contextId))) throw new AppError('leaderboard.no_laps')
    const { firstTimeMs, skipped, total } = page
    const last = page.rows.at(-1)
    const isMore = last !== undefined && last.rank < total
    return {
      ok: true,
      context_id: contextId,
      p1_ms: firstTimeMs,
      delta_reference: reference,
      user_lap_ms: userTimeMs,
      rows: answerRows(page.rows, { reference, firstTimeMs, userTimeMs, userId }),
      total,
      limit: size,
      offset: skipped,
      next_offset: isMore ? last.rank : null,
      next_cursor: isMore ? toCursor(last) : null,
    }
  }
}
