import { createStore } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'

/** Milliseconds for which a card stays in front. */
const CARD_MS = 4000

/** Creates a store of the index of the card in front. */
export function createRotation(count: number, after: After) {
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
    pick(next: number) {
      set(next)
      // A picked card stays for the full time.
      wait()
    },
    /** Starts or stops the rotation. It does not run before the first call. */
    run(next: boolean) {
      isRunning = next
      wait()
    },
  }
}
