import type { BoardRow } from '#shared/boards/board-row.ts'
import type { BoardWait } from '#shared/boards/board-wait.ts'
import type { BoardPage, Me } from './board-api.ts'

/** The state of one answer, in SWR's form. */
export interface Known<T> {
  readonly data: T | undefined
  readonly error: unknown
}

export interface CardFacts {
  /** Null if no driver has a lap of the combination. */
  readonly context: Known<number | null>
  readonly top: Known<BoardPage | null>
  readonly own: Known<Me>
  readonly wait: BoardWait
  /** A lap of the driver on this board is held for review (D-26). */
  readonly isHeld: boolean
  /** How long the card has waited for the driver's entry, in milliseconds. */
  readonly waitedMs: number
  /** The entry was there after the file was judged. If it is missing now, it has left the board. */
  readonly wasRanked: boolean
}

/** What the leaderboard card shows. */
export type CardState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'waiting'; readonly sentence: string; readonly isSlow: boolean }
  | { readonly kind: 'empty'; readonly unsaved: Unsaved | null }
  /** The driver has no rank, because the lap is held for review. `top` is null on a board without laps. */
  | { readonly kind: 'held'; readonly top: BoardRow | null }
  | {
      readonly kind: 'top'
      readonly top: BoardRow
      readonly total: number
      readonly unsaved: Unsaved | null
      /** Why the driver has no rank and will get none; null if a rank may still come. */
      readonly noRankReason: 'sample' | 'left' | null
    }
  | {
      readonly kind: 'ranked'
      readonly me: BoardRow
      readonly rows: readonly BoardRow[]
      readonly total: number
      /** A newer lap is being judged. */
      readonly isUpdating: boolean
      /** A faster lap is held for review. */
      readonly isHeld: boolean
    }

/** A failed save of the file's best lap. */
export interface Unsaved {
  readonly canRetry: boolean
}

/** Milliseconds of waiting for the entry after which the card says so and offers another try. */
export const SLOW_MS = 60_000

/** Decides the state of the leaderboard card, as the specification defines them. */
export function cardState(facts: CardFacts): CardState {
  const { context, top, own, wait, waitedMs, wasRanked } = facts
  if (context.data === undefined) return context.error ? { kind: 'failed' } : { kind: 'loading' }
  const hasLeft = wait.kind === 'past' || (wait.kind === 'due' && wasRanked)
  const isWaiting = !hasLeft && (wait.kind === 'coming' || wait.kind === 'due')
  const isSlow = isWaiting && waitedMs >= SLOW_MS
  const unsaved = wait.kind === 'failed' ? { canRetry: wait.canRetry } : null
  const isHeld = facts.isHeld && !isWaiting && unsaved === null && wait.kind !== 'never'
  const waiting = (sentence: string): CardState => ({ kind: 'waiting', sentence, isSlow })
  const empty: CardState = isWaiting
    ? waiting('Fetching latest leaderboard data...')
    : isHeld
      ? { kind: 'held', top: null }
      : { kind: 'empty', unsaved }
  if (context.data === null) return empty

  if (own.data?.me) {
    const { me, window, total } = own.data
    const isUpdating = wait.kind === 'coming'
    return { kind: 'ranked', me, rows: cardRows(top.data?.rows[0], me, window), total, isUpdating, isHeld }
  }
  if ((own.data === undefined && own.error) || (top.data === undefined && top.error)) {
    return { kind: 'failed' }
  }
  if (own.data === undefined || top.data === undefined) return { kind: 'loading' }
  if (isWaiting) return waiting('Processing lap data...')
  const first = top.data?.rows[0]
  if (first === undefined) return empty
  if (isHeld) return { kind: 'held', top: first }
  const noRankReason = wait.kind === 'never' ? 'sample' : hasLeft ? 'left' : null
  return { kind: 'top', top: first, total: top.data!.total, unsaved, noRankReason }
}

/** Rows beside the driver's own that the card has room for. */
const ROWS = 4

/** Returns the leader and the drivers around the own row, with the ranks of the full board, each row once. */
export function cardRows(
  leader: BoardRow | undefined,
  me: BoardRow,
  window: readonly BoardRow[],
): readonly BoardRow[] {
  const around = window.filter(row => row.user_id !== me.user_id)
  const rows = new Map([[me.user_id, me]])
  const add = (row: BoardRow | undefined) => {
    if (row && rows.size < ROWS && !rows.has(row.user_id)) rows.set(row.user_id, row)
  }
  if (leader && leader.rank < me.rank) add(leader)
  const nearest = around.sort(
    (a, b) => Math.abs(a.rank - me.rank) - Math.abs(b.rank - me.rank) || a.rank - b.rank,
  )
  for (const row of nearest) add(row)
  return withoutSingleGap(
    [...rows.values()].sort((a, b) => a.rank - b.rank),
    me,
    around,
  )
}

/**
 * Adds the one row between the leader and the others, if only one is left out there: a gap of one rank looks like an
 * error. The last row gives way, unless it is the driver's own.
 */
function withoutSingleGap(
  rows: readonly BoardRow[],
  me: BoardRow,
  around: readonly BoardRow[],
): readonly BoardRow[] {
  const [first, second] = rows
  if (!first || !second || second.rank - first.rank !== 2) return rows
  const between = around.find(({ rank }) => rank === first.rank + 1)
  if (!between) return rows
  const isLastOwn = rows.at(-1)?.user_id === me.user_id
  return [first, between, ...(isLastOwn ? rows.slice(1) : rows.slice(1, -1))]
}
