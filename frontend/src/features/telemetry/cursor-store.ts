import { createStore, type Readable } from '#shared/store/store.ts'

/** Where the one cursor of all views stands. */
interface CursorState {
  /** Row of the preview's series, null where no view is being pointed at. */
  readonly row: number | null
  /** A locked cursor stays where it is while the pointer moves on. */
  readonly locked: boolean
}

/**
 * The cursor that outline, traces, gauges and maps share. It is a store of its own, so that a tick
 * redraws canvases and never re-renders the page; each view gathers its ticks into one animation
 * frame (`every-frame.ts`).
 */
export interface CursorStore extends Readable<CursorState> {
  /** The pointer is nearest to `row`, or has left (null). Ignored while locked. */
  hover(row: number | null): void
  /** A click: locks at `row`; while locked, or without a row, unlocks. */
  toggleLock(row: number | null): void
  /** Keys and playback: sets the row whether the cursor is locked or not. */
  move(row: number): void
}

export function createCursorStore(): CursorStore {
  const store = createStore<CursorState>({ row: null, locked: false })
  const { get, subscribe } = store

  function set(row: number | null, locked: boolean) {
    if (row !== get().row || locked !== get().locked) store.set({ row, locked })
  }

  return {
    get,
    subscribe,
    hover(row) {
      if (!get().locked) set(row, false)
    },
    toggleLock(row) {
      if (get().locked || row === null) set(get().row, false)
      else set(row, true)
    },
    move(row) {
      set(row, get().locked)
    },
  }
}
