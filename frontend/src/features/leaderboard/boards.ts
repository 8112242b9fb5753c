import { type BoardApi, createBoardApi } from './board-api.ts'
import { isBoardKey } from './board-keys.ts'
import { type Cooldown, createCooldown } from './cooldown.ts'
import { withRetries } from './with-retries.ts'

/** What everything about leaderboards stands on; made once, in `src/app/create-page-deps.ts`. */
export interface Boards {
  /** Calls are repeated as `with-retries.ts` says before they fail. */
  readonly api: BoardApi
  /** Of the Refresh of the card and of the dialog; they outlive both. */
  readonly cardCooldown: Cooldown
  readonly dialogCooldown: Cooldown
  readonly nowMs: () => number
  readonly after: (ms: number, callback: () => void) => () => void
  /** Fetches everything in sight anew, and forgets the rest. */
  refresh(): void
}

export interface BoardsDeps {
  readonly baseUrl: string
  /** For calls of a signed-in person. */
  readonly authorised: typeof globalThis.fetch
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number
  readonly after: (ms: number, callback: () => void) => () => void
  /** SWR's own, over the cache of the page. */
  readonly revalidate: (isMeant: (key: unknown) => boolean) => Promise<unknown>
}

export function createBoards({ baseUrl, authorised, nowMs, after, revalidate }: BoardsDeps): Boards {
  const api = createBoardApi({ baseUrl, authorised })
  const wait = (ms: number) => new Promise<void>(resolve => after(ms, resolve))
  const retried = <T>(call: () => Promise<T>) => withRetries(call, wait)
  return {
    api: {
      contextId: combination => retried(() => api.contextId(combination)),
      page: query => retried(() => api.page(query)),
      me: query => retried(() => api.me(query)),
      tracks: () => retried(api.tracks),
      cars: track => retried(() => api.cars(track)),
    },
    cardCooldown: createCooldown({ after, nowMs }),
    dialogCooldown: createCooldown({ after, nowMs }),
    nowMs,
    after,
    // Where it fails the card says so itself.
    refresh: () => void revalidate(isBoardKey).catch(() => {}),
  }
}
