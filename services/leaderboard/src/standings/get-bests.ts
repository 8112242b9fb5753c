import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import { type BoardBest, readBest } from '../boards/read-best.ts'
import { toCombination } from '../contexts/combination.ts'
import type { Deps } from '../deps.ts'

/**
 * Returns for both boards how many real drivers there are and the best time of the others, so that
 * ingest can hold a lap for review (D-26). It is read from the database, not from a window: a hidden
 * lap must be no best any more.
 */
export function getBests({ db, contexts }: Pick<Deps, 'db' | 'contexts'>): Handlers<operations>['getBests'] {
  return async ({ query }) => {
    const contextId = await contexts.find(toCombination(query))
    if (contextId === null) return { complete: toWire(nobody), clean: toWire(nobody) }
    const read = (board: 'complete' | 'clean') => readBest(db, { contextId, board }, query.user_id)
    return { complete: toWire(await read('complete')), clean: toWire(await read('clean')) }
  }
}

const nobody: BoardBest = { drivers: 0, bestTimeMs: null }

function toWire({ drivers, bestTimeMs }: BoardBest) {
  return { drivers, best_time_ms: bestTimeMs }
}
