import type { Combination } from '#shared/boards/combination.ts'
import type { BoardName, DeltaReference } from './board-api.ts'

/** Cache lifetimes of the specification, in milliseconds. After them an answer is stale. */
export const freshMs = {
  context: 60_000,
  top: 15_000,
  page: 30_000,
  me: 30_000,
  own: 15_000,
  tracks: 300_000,
  cars: 300_000,
} as const

const BOARDS = 'boards'

const slugs = (c: Combination) => [c.sim, c.track_slug, c.layout, c.car_slug] as const

/**
 * Cache keys of the answers. Every key holds the driver's id: deltas and ranks differ by driver, and another
 * driver can sign in on this tab without a reload.
 */
export const boardKeys = {
  context: (userId: string, combination: Combination) =>
    [BOARDS, userId, 'context', ...slugs(combination)] as const,
  held: (userId: string, combination: Combination) =>
    [BOARDS, userId, 'held', ...slugs(combination)] as const,
  top: (userId: string, contextId: number) => [BOARDS, userId, 'top', contextId] as const,
  own: (userId: string, contextId: number) => [BOARDS, userId, 'own', contextId] as const,
  me: (userId: string, contextId: number, board: BoardName, window: number) =>
    [BOARDS, userId, 'me', contextId, board, window] as const,
  page: (userId: string, combination: Combination, board: BoardName, offset: number, delta: DeltaReference) =>
    [BOARDS, userId, 'page', ...slugs(combination), board, offset, delta] as const,
  tracks: (userId: string) => [BOARDS, userId, 'tracks'] as const,
  cars: (userId: string, track: { readonly sim: string; readonly slug: string; readonly layout: string }) =>
    [BOARDS, userId, 'cars', track.sim, track.slug, track.layout] as const,
}

/** Returns whether a cache entry came from the leaderboard service. */
export function isBoardKey(key: unknown): boolean {
  return Array.isArray(key) && key[0] === BOARDS
}
