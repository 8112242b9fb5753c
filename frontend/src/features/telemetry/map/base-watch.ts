/**
 * Judges whether the pictures of a map arrive. `waiting`: none arrived yet. `shown`: they arrive. `broken`:
 * some arrived, but the latest failed. `missing`: none arrived, and none is expected any more.
 */
export type BaseState = 'waiting' | 'shown' | 'broken' | 'missing'

/** Failures without a success in between, until they count. A single tile can be absent at the edge of a map. */
const MANY_FAILURES = 3

/**
 * Collects what happened to the tiles of a map. A missing tile (404) causes no event, so `settle` reports
 * that no request is open any more.
 */
export function createBaseWatch(onChange: (state: BaseState) => void) {
  let state: BaseState = 'waiting'
  let failures = 0

  function set(next: BaseState) {
    if (next === state) return
    state = next
    onChange(next)
  }

  return {
    get: () => state,
    tileLoaded() {
      failures = 0
      set('shown')
    },
    tileFailed() {
      failures++
      if (failures < MANY_FAILURES) return
      set(state === 'shown' || state === 'broken' ? 'broken' : 'missing')
    },
    /** No request is open, or the driver has waited long enough. */
    settle() {
      if (state === 'waiting') set('missing')
    },
  }
}

export type BaseWatch = ReturnType<typeof createBaseWatch>
