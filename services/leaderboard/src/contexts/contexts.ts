import type { Kysely } from 'kysely'
import { SLOTS_PER_BUCKET, topNode } from '../boards/buckets.ts'
import { statement } from '../boards/statement.ts'
import type { Database } from '../database.ts'
import type { Combination } from './combination.ts'

/** Where boards are found. */
export interface Contexts {
  /**
   * The number of a combination; null where nobody ever had a lap of it. A name may come to lead
   * elsewhere: what was found by it is believed for 5 s.
   */
  find(combination: Combination): Promise<number | null>
  /** Whether there is a context of that number: one never goes away. */
  exists(contextId: number): Promise<boolean>
}

/** @param now milliseconds that only grow */
export function createContexts(db: Kysely<Database>, now: () => number = () => performance.now()): Contexts {
  const numbers = new Map<string, { readonly id: number; readonly askedAtMs: number }>()
  const known = new Set<number>()
  return {
    async find({ sim, trackSlug, layout, carSlug }) {
      const values = [sim, trackSlug, layout, carSlug]
      // No slug holds a slash.
      const name = values.join('/')
      const askedAtMs = now()
      const remembered = numbers.get(name)
      if (remembered !== undefined && askedAtMs - remembered.askedAtMs < BELIEVED_MS) return remembered.id
      const [found] = await selectContext(db, values)
      if (found === undefined) return null
      if (numbers.size >= MOST_REMEMBERED) numbers.clear()
      numbers.set(name, { id: found.id, askedAtMs })
      return found.id
    },
    async exists(contextId) {
      if (contextId > MOST_CONTEXTS) return false
      if (known.has(contextId)) return true
      const isThere = (await selectNumber(db, [contextId])).length > 0
      if (known.size >= MOST_REMEMBERED) known.clear()
      if (isThere) known.add(contextId)
      return isThere
    },
  }
}

/** Whether any board of a context has an entry that counts. */
export async function hasLaps(db: Kysely<Database>, contextId: number): Promise<boolean> {
  return (await selectFilled(db, [contextId])).length > 0
}

/** Without it every page that Redis has would still ask the database for its board. */
const BELIEVED_MS = 5_000
const MOST_REMEMBERED = 10_000
/** Each has two boards, whose numbers are integers. */
const MOST_CONTEXTS = 2 ** 30 - 1

const selectContext = statement<{ readonly id: number }>(`
  select context.id from track_name join context using (track_id)
  where sim = $1 and slug = $2 and layout = $3 and car_slug = $4`)

const selectNumber = statement<object>('select from context where id = $1')

const selectFilled = statement<object>(`
  select from bucket where board_id in ($1::int * 2, $1 * 2 + 1) and node = ${topNode}
    and running[${SLOTS_PER_BUCKET}] > 0 limit 1`)
