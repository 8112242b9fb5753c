import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import { readBest } from '../boards/read-best.ts'
import type { Deps } from '../deps.ts'

/**
 * Returns for both boards how many real drivers there are and the best time of the others, so that
 * ingest can hold a lap for review (D-26). It is read from the database, not from a window: a hidden
 * lap must be no best any more.
 */
export function getBests({ db, contexts }: Deps): Handlers<operations>['getBests'] {
  return async ({ query }) => {
    const contextId = await contexts.find(query)
    if (contextId === null) return { complete: nobody, clean: nobody }
    const read = (board: 'complete' | 'clean') => readBest(db, { contextId, board }, query.user_id)
    return { complete: await read('complete'), clean: await read('clean') }
  }
}

const nobody = { drivers: 0, best_time_ms: null }
