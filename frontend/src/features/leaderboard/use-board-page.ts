import useSWR from 'swr'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardPage } from './board-api.ts'
import { type BoardChoice, PAGE_SIZE } from './board-choice.ts'
import { boardKeys, freshMs } from './board-keys.ts'
import type { Boards } from './boards.ts'

export interface BoardPageAnswer {
  /** Null where nobody has a lap; while a page is turned, the one before. */
  readonly data: BoardPage | null | undefined
  readonly error: unknown
  /** The data is of another page than is asked for. */
  readonly isTurning: boolean
  readonly isValidating: boolean
  mutate(): Promise<unknown>
}

/** A page of the chosen board, its deltas against the driver's own best. Asked only once all of it is chosen. */
export function useBoardPage(
  { api }: Boards,
  userId: string,
  combination: Combination | null,
  { board, offset }: BoardChoice,
): BoardPageAnswer {
  const key = combination && boardKeys.page(userId, combination, board, offset, 'user')
  const ofBoard = combination && JSON.stringify([combination, board])
  const { data, error, isValidating, mutate } = useSWR(
    key,
    async () => {
      const limit = PAGE_SIZE
      const page = await api.page({ combination: combination!, board, limit, offset, deltaReference: 'user' })
      return { ofBoard, offset, page }
    },
    // Turning a page keeps the one before in sight.
    { dedupingInterval: freshMs.page, keepPreviousData: true },
  )
  // But another board's rows would be a lie under a new title.
  const kept = data?.ofBoard === ofBoard ? data : undefined
  const isOther = kept !== undefined && kept.offset !== offset
  const hasFailed = error !== undefined && (kept === undefined || isOther)
  return {
    data: hasFailed ? undefined : kept?.page,
    error: hasFailed ? error : undefined,
    isTurning: isOther && !hasFailed,
    isValidating,
    mutate,
  }
}
