import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardApi } from './board-api.ts'

/** Finds the driver's own entry on the board of complete laps; null without one, or if it could not be loaded before. */
export async function findOwnBest(
  { contextId, me }: Pick<BoardApi, 'contextId' | 'me'>,
  combination: Combination,
  refused: ReadonlySet<string>,
): Promise<BoardRow | null> {
  const id = await contextId(combination)
  if (id === null) return null
  const answer = await me({ contextId: id, board: 'complete', window: 1, deltaReference: 'p1' })
  return answer.me === null || refused.has(answer.me.lap_id) ? null : answer.me
}
