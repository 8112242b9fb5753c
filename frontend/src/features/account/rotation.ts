import { createStore, type Readable } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'

/** Which of some cards is in front. */
interface Rotation extends Readable<number> {
  pick(index: number): void
  /** Goes on by itself, or stands still. It stands still until it is told otherwise. */
  run(isRunning: boolean): void
}

/** Milliseconds a card stays in front. */
const CARD_MS = 4000

export function createRotation(count: number, after: After): Rotation {
  const { get, subscribe, set } = createStore(0)
  let isRunning = false
  let stop = () => {}

  const wait = () => {
    stop()
    if (!isRunning) return
    stop = after(CARD_MS, () => {
      set((get() + 1) % count)
      wait()
    })
  }
  return {
    get,
    subscribe,
    pick(next) {
      set(next)
      // A picked card stays its whole time.
      wait()
    },
    run(next) {
      isRunning = next
      wait()
    },
  }
}
