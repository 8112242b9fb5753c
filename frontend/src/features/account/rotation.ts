/** Which of some cards is in front; shaped for `useSyncExternalStore`. */
export interface Rotation {
  get(): number
  subscribe(onChange: () => void): () => void
  pick(index: number): void
  /** Goes on by itself, or stands still. It stands still until it is told otherwise. */
  run(isRunning: boolean): void
}

/** Milliseconds a card stays in front. */
export const CARD_MS = 4000

export function createRotation(
  count: number,
  after: (ms: number, callback: () => void) => () => void,
): Rotation {
  const listeners = new Set<() => void>()
  let index = 0
  let isRunning = false
  let stop = () => {}

  const show = (next: number) => {
    index = next
    for (const listener of listeners) listener()
  }
  const wait = () => {
    stop()
    if (!isRunning) return
    stop = after(CARD_MS, () => {
      show((index + 1) % count)
      wait()
    })
  }
  return {
    get: () => index,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    pick(next) {
      show(next)
      // A picked card stays its whole time.
      wait()
    },
    run(next) {
      isRunning = next
      wait()
    },
  }
}
