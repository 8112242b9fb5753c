/** The two boards of a context (D-7). */
export type BoardName = 'complete' | 'clean'

export const BOARD_NAMES = ['complete', 'clean'] as const satisfies readonly BoardName[]

/** One board: drivers in the order of their laps. */
export interface Board {
  readonly contextId: number
  readonly board: BoardName
}

/** The one number under which the database keeps a board. */
export function boardId({ contextId, board }: Board): number {
  return contextId * 2 + BOARD_NAMES.indexOf(board)
}

export function boardOf(id: number): Board {
  return { contextId: id >> 1, board: BOARD_NAMES[id & 1]! }
}
