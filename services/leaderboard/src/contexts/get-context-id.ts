import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/leaderboard'
import { AppError } from '@lapwing/http'
import type { Deps } from '../deps.ts'
import { isNamed, toCombination } from './combination.ts'
import { hasLaps } from './contexts.ts'

export function getContextId({
  db,
  requirePrincipal,
  contexts,
}: Pick<Deps, 'db' | 'requirePrincipal' | 'contexts'>): Handlers<operations>['getContextId'] {
  return async request => {
    await requirePrincipal(request)
    const combination = toCombination(request.query)
    const contextId = isNamed(combination) ? await contexts.find(combination) : null
    if (contextId === null || !(await hasLaps(db, contextId))) throw new AppError('leaderboard.no_laps')
    return { ok: true, context_id: contextId }
  }
}
