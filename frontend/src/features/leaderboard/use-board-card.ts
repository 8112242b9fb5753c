import { useCallback, useEffect, useState } from 'react'
import useSWR from 'swr'
import type { BoardWait } from '#shared/boards/board-wait.ts'
import type { Combination } from '#shared/boards/combination.ts'
import { boardKeys, freshMs } from './board-keys.ts'
import type { Boards } from './boards.ts'
import { cardState, SLOW_MS } from './card-state.ts'
import { useContextId } from './use-board-answers.ts'

interface BoardCardOptions {
  readonly boards: Boards
  readonly userId: string
  readonly combination: Combination | null
  readonly wait: BoardWait
}

/** Rows around the driver that the card has room for. */
const WINDOW = 5
/** Milliseconds between two requests for an entry that should be there. */
const POLL_EVERY_MS = 5000

/** Fetches what the card shows, and keeps it fresh. */
export function useBoardCard({ boards, userId, combination, wait }: BoardCardOptions) {
  const { api, after } = boards
  const context = useContextId(boards, userId, combination)
  const id = context.data ?? null
  const top = useSWR(
    id === null ? null : boardKeys.top(userId, id),
    () =>
      api.page({ combination: combination!, board: 'complete', limit: 1, offset: 0, deltaReference: 'p1' }),
    { dedupingInterval: freshMs.top },
  )
  const own = useSWR(
    id === null ? null : boardKeys.own(userId, id),
    () => api.me({ contextId: id!, board: 'complete', window: WINDOW, deltaReference: 'p1' }),
    { dedupingInterval: freshMs.own },
  )

  const held = useSWR(
    combination && boardKeys.held(userId, combination),
    () => api.hasHeldLap(combination!),
    { dedupingInterval: freshMs.own },
  )

  const sinceMs = wait.kind === 'coming' || wait.kind === 'due' ? wait.sinceMs : null
  const waitedMs = useWaited(boards, sinceMs)
  const wasRanked = useWasSeen(own.data?.me != null, `${id} ${sinceMs}`)
  // Wait only until the list has the saved lap. If the lap leaves the list later, a moderator has decided.
  const wasHeld = useWasSeen(held.data === true, `${id} ${wait.kind}`)
  const isHeld = held.data === true || (wait.kind === 'held' && !wasHeld)
  const state = cardState({ context, top, own, wait, isHeld, waitedMs, wasRanked })

  const { mutate: fetchContext } = context
  const [fetchTop, fetchOwn, fetchHeld] = [top.mutate, own.mutate, held.mutate]
  const refresh = useCallback(() => {
    // The card's state shows what could not be loaded.
    for (const fetch of [fetchContext, fetchTop, fetchOwn, fetchHeld]) fetch().catch(() => {})
  }, [fetchContext, fetchTop, fetchOwn, fetchHeld])

  const isPolling = wait.kind === 'due' && state.kind === 'waiting' && !state.isSlow
  useEffect(() => {
    if (!isPolling) return
    let stop = () => {}
    const poll = () => {
      stop = after(POLL_EVERY_MS, () => {
        refresh()
        poll()
      })
    }
    poll()
    return () => stop()
  }, [isPolling, after, refresh])

  return { state, isBusy: context.isValidating || top.isValidating || own.isValidating, refresh }
}

/** Returns whether `isThere` was ever true since `what` last changed. */
function useWasSeen(isThere: boolean, what: string): boolean {
  const [seen, setSeen] = useState<string | null>(null)
  if (isThere && seen !== what) setSeen(what)
  return seen === what
}

/** Returns how long the card has waited, in milliseconds, and renders again when that becomes too long. */
function useWaited({ nowMs, after }: Boards, sinceMs: number | null): number {
  const [, setSlow] = useState<number | null>(null)
  const waitedMs = sinceMs === null ? 0 : nowMs() - sinceMs
  const leftMs = sinceMs === null ? null : Math.max(0, SLOW_MS - waitedMs)
  useEffect(() => {
    if (leftMs === null || leftMs === 0) return
    return after(leftMs, () => setSlow(sinceMs))
    // The remaining time shrinks without a dependency.
  }, [sinceMs, after])
  return waitedMs
}
