import useSWR from 'swr'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardName } from './board-api.ts'
import { boardKeys, freshMs } from './board-keys.ts'
import type { Boards } from './boards.ts'

/** The service's default number of rows around the driver. */
const ME_WINDOW = 10

/** Fetches the id of a combination once that is complete; null data if no driver has a lap of it. */
export function useContextId({ api }: Boards, userId: string, combination: Combination | null) {
  return useSWR(combination && boardKeys.context(userId, combination), () => api.contextId(combination!), {
    dedupingInterval: freshMs.context,
  })
}

/** Fetches the driver's rank and neighbours. Fetches nothing until `contextId` is known. */
export function useMe(
  { api }: Boards,
  userId: string,
  contextId: number | null | undefined,
  { board = 'complete', window = ME_WINDOW }: { readonly board?: BoardName; readonly window?: number } = {},
) {
  return useSWR(
    contextId == null ? null : boardKeys.me(userId, contextId, board, window),
    () => api.me({ contextId: contextId!, board, window, deltaReference: 'p1' }),
    { dedupingInterval: freshMs.me },
  )
}
