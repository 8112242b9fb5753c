import { SLOTS_PER_BUCKET, topNode } from '../boards/buckets.ts'
import { statement } from '../boards/statement.ts'
import type { Db } from '../database.ts'
import { type Combination, isSlug } from './combination.ts'

/** Looks up contexts, the stored combinations, with a cache in this process. */
export interface Contexts {
  /**
   * Finds the number of a combination; null if no lap was ever stored for it. A name can change its meaning,
   * so an answer is cached for 5 s.
   */
  find(combination: Combination): Promise<number | null>
  /** Returns whether a context has that number. A context is never deleted. */
  exists(contextId: number): Promise<boolean>
}

/** @param now milliseconds that only grow */
export function createContexts(db: Db, now: () => number = () => performance.now()): Contexts {
  const idsByName = new Map<string, { readonly id: number; readonly readAtMs: number }>()
  const knownIds = new Set<number>()
  return {
    async find({ sim, track_slug, layout, car_slug }) {
      const values = [sim, track_slug, layout, car_slug]
      if (!values.every(isSlug)) return null
      // A slug has no slash, so the key is unique.
      const name = values.join('/')
      const readAtMs = now()
      const cached = idsByName.get(name)
      if (cached !== undefined && readAtMs - cached.readAtMs < CACHE_MS) return cached.id
      const [found] = await selectContext(db, values)
      if (found === undefined) return null
      if (idsByName.size >= MAX_CACHED) idsByName.clear()
      idsByName.set(name, { id: found.id, readAtMs })
      return found.id
    },
    async exists(contextId) {
      if (contextId > MAX_CONTEXT_ID) return false
      if (knownIds.has(contextId)) return true
      const isThere = (await selectNumber(db, [contextId])).length > 0
      if (knownIds.size >= MAX_CACHED) knownIds.clear()
      if (isThere) knownIds.add(contextId)
      return isThere
    },
  }
}

/** Returns whether any board of a context has a visible entry. */
export async function hasLaps(db: Db, contextId: number): Promise<boolean> {
  return (await selectFilled(db, [contextId])).length > 0
}

/** Without this cache, every page in Redis would still need a query for the number of its board. */
const CACHE_MS = 5_000
const MAX_CACHED = 10_000
/** Each context has two boards, and a board's id is a 32-bit integer. */
const MAX_CONTEXT_ID = 2 ** 30 - 1

const selectContext = statement<{ readonly id: number }>(`
  select context.id from track_name join context using (track_id)
  where sim = $1 and slug = $2 and layout = $3 and car_slug = $4`)

const selectNumber = statement<object>('select from context where id = $1')

const selectFilled = statement<object>(`
  select from bucket where board_id in ($1::int * 2, $1 * 2 + 1) and node = ${topNode}
    and running[${SLOTS_PER_BUCKET}] > 0 limit 1`)
