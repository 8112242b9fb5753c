/** The two boards of a context (D-7). */
export type BoardName = 'complete' | 'clean'

export const BOARD_NAMES = ['complete', 'clean'] as const satisfies readonly BoardName[]

/** One board: the drivers of a combination, ordered by their best laps. */
export interface Board {
  readonly contextId: number
  readonly board: BoardName
}

/** Returns the id of a board in the database. */
export function boardId({ contextId, board }: Board): number {
  return contextId * 2 + BOARD_NAMES.indexOf(board)
}

/** Returns the board of an id. */
export function boardOf(id: number): Board {
  return { contextId: id >> 1, board: BOARD_NAMES[id & 1]! }
}
