import type { StoredEntry } from './entry.ts'

/**
 * How the counted entries of a board are counted by time. A bucket holds 128 neighbouring slots, each
 * of 1 ms at level 0, 128 ms at level 1 and 16.384 s at level 2, and of each slot how many entries its
 * bucket has up to there and including it (`running`). So what stands before a time is one number of
 * one bucket a level, and the slot that holds a rank is found by halving. The last of all
 * milliseconds, after 35 minutes, also holds every slower lap.
 */
export const LEVELS = [0, 1, 2] as const
export const SLOTS_PER_BUCKET = 128
export const TOP_LEVEL = 2
/** Bits of a time that choose a slot within its bucket. */
export const SLOT_BITS = 7
export const slowestMs = 2 ** (SLOT_BITS * LEVELS.length) - 1
/** In a bucket's number its level stands above these bits, which hold its slot. */
export const NODE_LEVEL_BITS = 24
/** Of the one bucket at the top of each board, whose last count is that of all its entries. */
export const topNode = nodeOf(TOP_LEVEL, 0)

/** The number of a bucket within its board. */
export function nodeOf(level: number, slot: number): number {
  return (level << NODE_LEVEL_BITS) + slot
}

/** What an entry of one driver on one board was, and what it is to be. */
export interface EntryChange {
  readonly boardId: number
  readonly driverId: number
  readonly before: StoredEntry | null
  readonly after: StoredEntry | null
}

/** What is added to the running counts of one bucket; never all zero. */
export interface BucketMove {
  readonly boardId: number
  readonly node: number
  readonly running: readonly number[]
}

/**
 * What changes of entries do to the buckets, in the one order in which every transaction takes their
 * locks: two that took them the other way round would wait for each other for ever. The top of a
 * board comes last, as most wait for it.
 */
export function bucketMoves(changes: readonly EntryChange[]): readonly BucketMove[] {
  const moves = new Map<string, BucketMove & { readonly running: number[] }>()
  const move = (boardId: number, entry: StoredEntry | null, count: 1 | -1) => {
    if (entry === null || !entry.isCounted) return
    for (const level of LEVELS) {
      const place = Math.min(entry.timeMs, slowestMs) >> (SLOT_BITS * level)
      const node = nodeOf(level, place >> SLOT_BITS)
      const key = `${boardId} ${node}`
      const bucket = moves.get(key) ?? { boardId, node, running: new Array(SLOTS_PER_BUCKET).fill(0) }
      moves.set(key, bucket)
      for (let i = place % SLOTS_PER_BUCKET; i < SLOTS_PER_BUCKET; i++) bucket.running[i]! += count
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
