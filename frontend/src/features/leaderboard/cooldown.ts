/** Blocks a button for a while after it was pressed. Shaped for `useSyncExternalStore`. */
export interface Cooldown {
  /** Whole seconds left, counted down each second; 0 where the button may be pressed. */
  get(): number
  subscribe(onChange: () => void): () => void
  /** False where it is still running. */
  start(): boolean
}

export interface CooldownDeps {
  readonly after: (ms: number, callback: () => void) => () => void
  readonly nowMs: () => number
}

/** The specification's cooldown of a leaderboard's Refresh. */
export const REFRESH_COOLDOWN_MS = 30_000

export function createCooldown({ after, nowMs }: CooldownDeps, lengthMs = REFRESH_COOLDOWN_MS): Cooldown {
  const listeners = new Set<() => void>()
  let endMs = Number.NEGATIVE_INFINITY
  let left = 0

  // By the clock and not by counting ticks: a tab in the background ticks seldom.
  function tick() {
    const leftMs = Math.max(0, endMs - nowMs())
    const next = Math.ceil(leftMs / 1000)
    if (next > 0) after(leftMs - (next - 1) * 1000, tick)
    if (next === left) return
    left = next
    for (const listener of listeners) listener()
  }

  return {
    get: () => left,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    start() {
      if (left > 0) return false
      endMs = nowMs() + lengthMs
      tick()
      return true
    },
  }
}
