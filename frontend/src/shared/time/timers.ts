/** Calls back after some milliseconds. Returns the function that stops this. */
export type After = (ms: number, callback: () => void) => () => void

/** The browser's own timers. Stores get `After` as an argument, because tests have their own clock. */
export const after: After = (ms, callback) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Returns milliseconds of a clock that never goes back. */
export const nowMs = () => performance.now()

/** Resolves after some milliseconds. Rejects with the reason of the signal if that aborts first. */
export function wait(after: After, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      stop()
      reject(signal?.reason)
    }
    const stop = after(ms, () => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    })
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

/** Resolves as `promise` does; with `otherwise` if that rejects or takes longer than `ms`. */
export function within<T>(after: After, ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise(resolve => {
    const stop = after(ms, () => resolve(otherwise))
    void promise.then(resolve, () => resolve(otherwise)).finally(stop)
  })
}
