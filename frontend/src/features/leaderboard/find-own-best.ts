import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardApi } from './board-api.ts'

/** Finds the driver's own entry on the board of complete laps; null without one. */
export async function findOwnBest(
  { contextId, me }: Pick<BoardApi, 'contextId' | 'me'>,
  combination: Combination,
): Promise<BoardRow | null> {
  const id = await contextId(combination)
  if (id === null) return null
  return (await me({ contextId: id, board: 'complete', window: 1, deltaReference: 'p1' })).me
}
