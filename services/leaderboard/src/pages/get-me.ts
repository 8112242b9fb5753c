import { AppError } from '@lapwing/http'
import { timed } from '@lapwing/metrics'
import { rankSeconds } from '../boards/rank-seconds.ts'
import { readWindow } from '../boards/read-window.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { answerRows } from './answer-row.ts'

/** Replies with the driver's own row and the rows around it. */
export function getMe({ db, requirePrincipal, contexts, windows }: Deps): HandlerOf<'getMe'> {
  return async request => {
    const { userId } = await requirePrincipal(request, 'leaderboard:read')
    const { contextId } = request.params
    const { window: size = 10, delta_reference: reference = 'p1', board: name = 'complete' } = request.query
    if (!(await contexts.exists(contextId))) throw new AppError('leaderboard.no_laps')
    const board = { contextId, board: name }
    const [window] = await windows.read(board, [
      {
        key: `me:${userId}:${size}`,
        load: () => timed(rankSeconds, { query: 'window' }, () => readWindow(db, board, { userId, size })),
      },
    ])
    const { me, firstTimeMs, total } = window
    const to = { reference, firstTimeMs, userTimeMs: me?.timeMs ?? null, userId }
    return {
      ok: true,
      context_id: contextId,
      me: me && answerRows([me], to)[0]!,
      window: answerRows(window.rows, to),
      total,
    }
  }
}
