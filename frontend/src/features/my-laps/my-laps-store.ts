import { sentenceOf } from '#shared/api/problem.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import type { MyLap, MyLapsApi } from './my-laps-api.ts'

interface MyLapsState {
  readonly laps: readonly MyLap[]
  /** Whether there are more pages to load. */
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** Why the list, or the next page, could not be loaded. */
  readonly problem: string | null
  /** Ids of laps that a call is changing. */
  readonly busy: ReadonlySet<string>
}

/** A driver's saved laps. */
interface MyLapsStore extends Readable<MyLapsState> {
  /** Loads the first page, or the next if there are some already. */
  load(): Promise<void>
  setReferenceAllowed(lap: MyLap, isAllowed: boolean): Promise<void>
  /** Deletes a lap. Resolves to true on success. */
  remove(lap: MyLap): Promise<boolean>
}

export interface MyLapsDeps {
  readonly api: MyLapsApi
  readonly notify: Notify
  /** Called after a deleted lap left its boards. */
  readonly onRemoved: () => void
}

export function createMyLapsStore({ api, notify, onRemoved }: MyLapsDeps): MyLapsStore {
  const { get, subscribe, patch } = createStore<MyLapsState>({
    laps: [],
    hasMore: true,
    isLoading: false,
    problem: null,
    busy: new Set(),
  })
  let cursor: string | null = null

  /** Runs one change of a lap at a time. Resolves to null if it failed or another one is running. */
  async function change<T>(lap: MyLap, failure: string, run: () => Promise<T>): Promise<T | null> {
    if (get().busy.has(lap.lap_id)) return null
    patch({ busy: new Set([...get().busy, lap.lap_id]) })
    try {
      return await run()
    } catch (error) {
      notify.error(sentenceOf(error, failure))
      return null
    } finally {
      patch({ busy: new Set([...get().busy].filter(id => id !== lap.lap_id)) })
    }
  }

  const replace = (laps: ReadonlyMap<string, MyLap>) =>
    patch({ laps: get().laps.map(lap => laps.get(lap.lap_id) ?? lap) })

  /** Fetches the loaded pages again: another lap may have taken the place of a deleted entry. */
  async function refetch() {
    const fresh = new Map<string, MyLap>()
    let next: string | null = null
    try {
      do {
        const page = await api.list(next)
        for (const lap of page.laps) fresh.set(lap.lap_id, lap)
        next = page.nextCursor
      } while (next !== null && fresh.size < get().laps.length)
      replace(fresh)
    } catch {
      // Only a badge is out of date, and the next opening corrects it.
    }
  }

  return {
    get,
    subscribe,
    async load() {
      if (get().isLoading || !get().hasMore) return
      patch({ isLoading: true, problem: null })
      try {
        const page = await api.list(cursor)
        cursor = page.nextCursor
        const known = new Set(get().laps.map(lap => lap.lap_id))
        const laps = [...get().laps, ...page.laps.filter(lap => !known.has(lap.lap_id))]
        patch({ laps, hasMore: cursor !== null, isLoading: false })
      } catch (error) {
        patch({ isLoading: false, problem: sentenceOf(error, 'Your laps could not be loaded.') })
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
      patch({ laps: get().laps.filter(other => other.lap_id !== lap.lap_id) })
      notify.success('Lap deleted.')
      if (lap.on_board.length > 0) {
        onRemoved()
        await refetch()
      }
      return true
    },
  }
}
