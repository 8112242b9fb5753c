import { ApiError } from '#shared/api/problem.ts'
import type { MyLap, MyLapsApi } from './my-laps-api.ts'

export interface MyLapsState {
  readonly laps: readonly MyLap[]
  /** Not the first page only: there is more to load. */
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** Why the list, or more of it, is not here. */
  readonly problem: string | null
  /** Ids of laps that are being changed. */
  readonly busy: ReadonlySet<string>
}

/** A driver's saved laps. Shaped for `useSyncExternalStore`. */
export interface MyLapsStore {
  get(): MyLapsState
  subscribe(onChange: () => void): () => void
  /** Loads the first page, or the next where there are some. */
  load(): Promise<void>
  setReferenceAllowed(lap: MyLap, isAllowed: boolean): Promise<void>
  /** Answers whether it is gone. */
  remove(lap: MyLap): Promise<boolean>
}

export interface MyLapsDeps {
  readonly api: MyLapsApi
  readonly notify: {
    readonly success: (sentence: string) => void
    readonly error: (sentence: string) => void
  }
  /** A lap left the boards it was on. */
  readonly onRemoved: () => void
}

export function createMyLapsStore({ api, notify, onRemoved }: MyLapsDeps): MyLapsStore {
  const listeners = new Set<() => void>()
  let state: MyLapsState = { laps: [], hasMore: true, isLoading: false, problem: null, busy: new Set() }
  let cursor: string | null = null

  const set = (change: Partial<MyLapsState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** One change of a lap at a time. */
  async function change<T>(lap: MyLap, failure: string, deed: () => Promise<T>): Promise<T | null> {
    if (state.busy.has(lap.lap_id)) return null
    set({ busy: new Set([...state.busy, lap.lap_id]) })
    try {
      return await deed()
    } catch (error) {
      notify.error(sentenceOf(error, failure))
      return null
    } finally {
      set({ busy: new Set([...state.busy].filter(id => id !== lap.lap_id)) })
    }
  }

  const replace = (laps: ReadonlyMap<string, MyLap>) =>
    set({ laps: state.laps.map(lap => laps.get(lap.lap_id) ?? lap) })

  /** Another lap may have taken the place of one that is gone; what is in sight says so. */
  async function lookAgain() {
    const fresh = new Map<string, MyLap>()
    let next: string | null = null
    try {
      do {
        const page = await api.list(next)
        for (const lap of page.laps) fresh.set(lap.lap_id, lap)
        next = page.nextCursor
      } while (next !== null && fresh.size < state.laps.length)
      replace(fresh)
    } catch {
      // What is in sight is right but for a badge, and the next opening brings it.
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      if (state.isLoading || !state.hasMore) return
      set({ isLoading: true, problem: null })
      try {
        const page = await api.list(cursor)
        cursor = page.nextCursor
        const known = new Set(state.laps.map(lap => lap.lap_id))
        const laps = [...state.laps, ...page.laps.filter(lap => !known.has(lap.lap_id))]
        set({ laps, hasMore: cursor !== null, isLoading: false })
      } catch (error) {
        set({ isLoading: false, problem: sentenceOf(error, 'Your laps could not be loaded.') })
      }
    },
    async setReferenceAllowed(lap, isAllowed) {
      const changed = await change(lap, 'This could not be changed. Please try again.', () =>
        api.setReferenceAllowed(lap.lap_id, isAllowed),
      )
      if (changed) replace(new Map([[changed.lap_id, changed]]))
    },
    async remove(lap) {
      const isGone = await change(lap, 'The lap could not be deleted. Please try again.', async () => {
        await api.remove(lap.lap_id)
        return true
      })
      if (!isGone) return false
      set({ laps: state.laps.filter(other => other.lap_id !== lap.lap_id) })
      notify.success('Lap deleted.')
      if (lap.on_board.length > 0) {
        onRemoved()
        await lookAgain()
      }
      return true
    },
  }
}

function sentenceOf(error: unknown, failure: string): string {
  return error instanceof ApiError && error.isSentence ? error.message : failure
}
