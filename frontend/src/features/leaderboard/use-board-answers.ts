import useSWR from 'swr'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardName } from './board-api.ts'
import { boardKeys, freshMs } from './board-keys.ts'
import type { Boards } from './boards.ts'

/** Rows around the driver that "me" brings where nobody asks for another number. */
const ME_WINDOW = 10

/** The number of a combination; null data where nobody has a lap of it. Asked only once all of it is chosen. */
export function useContextId({ api }: Boards, userId: string, combination: Combination | null) {
  return useSWR(combination && boardKeys.context(userId, combination), () => api.contextId(combination!), {
    dedupingInterval: freshMs.context,
  })
}

/** The driver's place and who is around it; nothing is asked where `contextId` is not known. */
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
