import { createStore } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'

/** Blocks a button for a while after a press. The value is whole seconds left; 0 if it can be pressed. */
export type Cooldown = ReturnType<typeof createCooldown>

interface CooldownDeps {
  readonly after: After
  readonly nowMs: () => number
}

/** The specification's cooldown of a leaderboard's Refresh. */
const REFRESH_COOLDOWN_MS = 30_000

export function createCooldown({ after, nowMs }: CooldownDeps, lengthMs = REFRESH_COOLDOWN_MS) {
  const { get, subscribe, set } = createStore(0)
  let endMs = Number.NEGATIVE_INFINITY

  // Uses the clock instead of counting ticks: a tab in the background ticks seldom.
  function tick() {
    const leftMs = Math.max(0, endMs - nowMs())
    const next = Math.ceil(leftMs / 1000)
    if (next > 0) after(leftMs - (next - 1) * 1000, tick)
    set(next)
  }

  return {
    get,
    subscribe,
    /** Starts the cooldown. Returns false if it is still running. */
    start() {
      if (get() > 0) return false
      endMs = nowMs() + lengthMs
      tick()
      return true
    },
  }
}
