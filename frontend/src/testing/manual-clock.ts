import type { After } from '#shared/time/timers.ts'

/** A clock and timers that move only by command of a test. */
export interface ManualClock {
  readonly nowMs: () => number
  readonly after: After
  /** Moves on, runs due timers, and lets promises settle in between. */
  advance(ms: number): Promise<void>
  /** Changes the time of day; timers wait as long as before. */
  jump(ms: number): void
  /** Returns milliseconds until each waiting timer, soonest first. */
  waiting(): number[]
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs
  let timers: { at: number; readonly callback: () => void }[] = []
  return {
    nowMs: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter(other => other !== timer)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        now = Math.max(now, due.at)
        timers = timers.filter(other => other !== due)
        due.callback()
        await settle()
      }
      now = end
    },
    jump(ms) {
      now += ms
      for (const timer of timers) timer.at += ms
    },
    waiting: () => timers.map(({ at }) => at - now).sort((a, b) => a - b),
  }
}

/** Waits until everything that needs no timer has finished. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>(resolve => nextTurn(resolve))
}

/** Node's `setImmediate`, which has no minimum wait. The page's types do not include it. */
const nextTurn = (globalThis as unknown as { setImmediate: (callback: () => void) => void }).setImmediate
