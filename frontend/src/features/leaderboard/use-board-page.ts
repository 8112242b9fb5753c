import useSWR from 'swr'
import type { Combination } from '#shared/boards/combination.ts'
import { type BoardChoice, PAGE_SIZE } from './board-choice.ts'
import { boardKeys, freshMs } from './board-keys.ts'
import type { Boards } from './boards.ts'

export type BoardPageAnswer = ReturnType<typeof useBoardPage>

/** Fetches a page of the chosen board, with deltas to the driver's own best, once all of it is chosen. */
export function useBoardPage(
  { api }: Boards,
  userId: string,
  combination: Combination | null,
  { board, offset }: BoardChoice,
) {
  const key = combination && boardKeys.page(userId, combination, board, offset, 'user')
  const ofBoard = combination && JSON.stringify([combination, board])
  const { data, error, isValidating, mutate } = useSWR(
    key,
    async () => {
      const limit = PAGE_SIZE
      const page = await api.page({ combination: combination!, board, limit, offset, deltaReference: 'user' })
      return { ofBoard, offset, page }
    },
    // The last page stays visible while the next one loads.
    { dedupingInterval: freshMs.page, keepPreviousData: true },
  )
  // But rows of another board must not show under a new title.
  const kept = data?.ofBoard === ofBoard ? data : undefined
  const isOther = kept !== undefined && kept.offset !== offset
  const hasFailed = error !== undefined && (kept === undefined || isOther)
  return {
    /** Null if no driver has a lap. While a page loads, the page before it. */
    data: hasFailed ? undefined : kept?.page,
    error: hasFailed ? (error as unknown) : undefined,
    /** The data is of another page than the requested one. */
    isTurning: isOther && !hasFailed,
    isValidating,
    mutate,
  }
}
