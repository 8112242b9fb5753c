import { createStore } from '#shared/store/store.ts'

/** The position of the one cursor that all views share. */
interface CursorState {
  /** Row of the preview's series; null if the pointer is on no view. */
  readonly row: number | null
  /** A locked cursor ignores the pointer's moves. */
  readonly locked: boolean
}

/**
 * The cursor that outline, traces, gauges and maps share. It has its own store, so that a tick redraws
 * canvases and never re-renders the page. Each view collects its ticks into one animation frame
 * (`every-frame.ts`).
 */
export type CursorStore = ReturnType<typeof createCursorStore>

export function createCursorStore() {
  const store = createStore<CursorState>({ row: null, locked: false })
  const { get, subscribe } = store

  function set(row: number | null, locked: boolean) {
    if (row !== get().row || locked !== get().locked) store.set({ row, locked })
  }

  return {
    get,
    subscribe,
    /** Sets the row that the pointer is nearest to; null after it has left. Ignored while locked. */
    hover(row: number | null) {
      if (!get().locked) set(row, false)
    },
    /** Handles a click: locks at `row`. While locked, or if `row` is null, unlocks. */
    toggleLock(row: number | null) {
      if (get().locked || row === null) set(get().row, false)
      else set(row, true)
    },
    /** Sets the row for keys and playback, whether the cursor is locked or not. */
    move: (row: number) => set(row, get().locked),
  }
}
