import type { SignedInDeps } from '#shared/api/api-client.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { type After, wait } from '#shared/time/timers.ts'
import { type BoardApi, createBoardApi } from './board-api.ts'
import { isBoardKey } from './board-keys.ts'
import { type Cooldown, createCooldown } from './cooldown.ts'
import { withRetries } from './with-retries.ts'

/** Everything the leaderboards need; created once, in `src/app/create-page-deps.ts`. */
export interface Boards {
  /** Retries failed calls as `with-retries.ts` says. */
  readonly api: BoardApi
  /** The cooldowns of Refresh in the card and in the dialog. They outlive both. */
  readonly cardCooldown: Cooldown
  readonly dialogCooldown: Cooldown
  readonly nowMs: () => number
  readonly after: After
  /** Fetches all visible answers again, and marks the rest as stale. */
  refresh(): void
  /** Applies a driver's new name. Cached rows show it immediately; the boards receive it a moment later. */
  rename(userId: string, name: string): void
}

interface BoardsDeps extends SignedInDeps {
  /** Returns milliseconds of a clock that never goes back. */
  readonly nowMs: () => number
  readonly after: After
  /** SWR's own, for the cache of the page. */
  readonly revalidate: (isMeant: (key: unknown) => boolean) => Promise<unknown>
}

export function createBoards({ baseUrl, authorised, nowMs, after, revalidate }: BoardsDeps): Boards {
  const api = createBoardApi({ baseUrl, authorised })
  const retried = <T>(call: () => Promise<T>) => withRetries(call, ms => wait(after, ms))
  const names = new Map<string, string>()
  const named = <Row extends BoardRow>(row: Row): Row => {
    const name = names.get(row.user_id)
    return name === undefined ? row : { ...row, display_name: name }
  }
  // If it fails, the card shows that itself.
  const refresh = () => void revalidate(isBoardKey).catch(() => {})
  return {
    api: {
      contextId: combination => retried(() => api.contextId(combination)),
      async page(query) {
        const page = await retried(() => api.page(query))
        return page && { ...page, rows: page.rows.map(named) }
      },
      async me(query) {
        const answer = await retried(() => api.me(query))
        return { ...answer, me: answer.me && named(answer.me), window: answer.window.map(named) }
      },
      // The driver repeats it: a refusal is for the rest of the day.
      report: api.report,
      tracks: () => retried(api.tracks),
      cars: track => retried(() => api.cars(track)),
      hasHeldLap: combination => retried(() => api.hasHeldLap(combination)),
    },
    cardCooldown: createCooldown({ after, nowMs }),
    dialogCooldown: createCooldown({ after, nowMs }),
    nowMs,
    after,
    refresh,
    rename(userId, name) {
      names.set(userId, name)
      refresh()
    },
  }
}
