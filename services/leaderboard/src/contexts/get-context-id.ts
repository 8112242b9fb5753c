import { AppError } from '@lapwing/http'
import type { Deps, HandlerOf } from '../deps.ts'
import { hasLaps } from './contexts.ts'

export function getContextId({ db, requirePrincipal, contexts }: Deps): HandlerOf<'getContextId'> {
  return async request => {
    await requirePrincipal(request, 'leaderboard:read')
    const contextId = await contexts.find(request.query)
    if (contextId === null || !(await hasLaps(db, contextId))) throw new AppError('leaderboard.no_laps')
    return { ok: true, context_id: contextId }
  }
}
