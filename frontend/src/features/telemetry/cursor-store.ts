/** Where the one cursor of all views stands. */
export interface CursorState {
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
export interface CursorStore {
  /** The same object until something changes, as `useSyncExternalStore` asks. */
  get(): CursorState
  /** The pointer is nearest to `row`, or has left (null). Ignored while locked. */
  hover(row: number | null): void
  /** A click: locks at `row`; while locked, or without a row, unlocks. */
  toggleLock(row: number | null): void
  /** Keys and playback: sets the row whether the cursor is locked or not. */
  move(row: number): void
  /** Calls back after each change; answers the function that ends it. */
  subscribe(listener: () => void): () => void
}

export function createCursorStore(): CursorStore {
  let state: CursorState = { row: null, locked: false }
  const listeners = new Set<() => void>()

  function set(row: number | null, locked: boolean) {
    if (row === state.row && locked === state.locked) return
    state = { row, locked }
    for (const listener of listeners) listener()
  }

  return {
    get: () => state,
    hover(row) {
      if (!state.locked) set(row, false)
    },
    toggleLock(row) {
      if (state.locked || row === null) set(state.row, false)
      else set(row, true)
    },
    move(row) {
      set(row, state.locked)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
