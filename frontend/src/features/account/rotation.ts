import { createStore, type Readable } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'

/** The index of the card in front. */
interface Rotation extends Readable<number> {
  pick(index: number): void
  /** Starts or stops the rotation. It does not run before the first call. */
  run(isRunning: boolean): void
}

/** Milliseconds for which a card stays in front. */
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
      // A picked card stays for the full time.
      wait()
    },
    run(next) {
      isRunning = next
      wait()
    },
  }
}
