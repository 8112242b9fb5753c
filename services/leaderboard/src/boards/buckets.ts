import type { StoredEntry } from './entry.ts'

/**
 * Buckets count the visible entries of a board by lap time. A bucket has 128 neighbouring slots. A slot
 * lasts 1 ms at level 0, 128 ms at level 1 and 16.384 s at level 2. `running` holds for each slot the number
 * of entries in its bucket up to and including that slot.
 *
 * So the number of entries before a time is the sum of one number a level, and a binary search finds the slot
 * of a rank. The last millisecond, after 35 minutes, also holds every slower lap.
 */
export const LEVELS = [0, 1, 2] as const
export const SLOTS_PER_BUCKET = 128
export const TOP_LEVEL = 2
/** Bits of a time that select a slot within its bucket. */
export const SLOT_BITS = 7
export const slowestMs = 2 ** (SLOT_BITS * LEVELS.length) - 1
/** Bits of a bucket's number below its level. They hold its slot in the level above. */
export const NODE_LEVEL_BITS = 24
/** Number of the one top bucket of each board. Its last count is the count of the whole board. */
export const topNode = nodeOf(TOP_LEVEL, 0)

/** Returns the number of a bucket within its board. */
export function nodeOf(level: number, slot: number): number {
  return (level << NODE_LEVEL_BITS) + slot
}

/** A change of one driver's entry on one board; null for no entry. */
export interface EntryChange {
  readonly boardId: number
  readonly driverId: number
  readonly before: StoredEntry | null
  readonly after: StoredEntry | null
}

/** Numbers to add to the running counts of one bucket; never all zero. */
export interface BucketMove {
  readonly boardId: number
  readonly node: number
  readonly running: readonly number[]
}

/**
 * Returns how changes of entries change the buckets. The order is the order in which every transaction locks
 * buckets: different orders would cause deadlocks. The top bucket of a board comes last, because most
 * transactions wait for it.
 */
export function bucketMoves(changes: readonly EntryChange[]): readonly BucketMove[] {
  const moves = new Map<string, BucketMove & { readonly running: number[] }>()
  const move = (boardId: number, entry: StoredEntry | null, count: 1 | -1) => {
    if (entry === null || !entry.isCounted) return
    for (const level of LEVELS) {
      const slotOfLevel = Math.min(entry.timeMs, slowestMs) >> (SLOT_BITS * level)
      const node = nodeOf(level, slotOfLevel >> SLOT_BITS)
      const key = `${boardId} ${node}`
      const bucket = moves.get(key) ?? { boardId, node, running: new Array(SLOTS_PER_BUCKET).fill(0) }
      moves.set(key, bucket)
      for (let i = slotOfLevel % SLOTS_PER_BUCKET; i < SLOTS_PER_BUCKET; i++) bucket.running[i]! += count
    }
  }
  for (const { boardId, before, after } of changes) {
    move(boardId, before, -1)
    move(boardId, after, 1)
  }
  return [...moves.values()]
    .filter(({ running }) => running.some(count => count !== 0))
    .sort((a, b) => a.node - b.node || a.boardId - b.boardId)
}
