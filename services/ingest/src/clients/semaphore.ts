/**
 * Creates a semaphore: a function that runs at most `atOnce` works at the same time, in the order of the
 * calls. Work that has waited for `maxWaitMs` does not start and rejects with `SemaphoreTimeout`.
 */
export function createSemaphore({
  atOnce,
  maxWaitMs,
}: {
  readonly atOnce: number
  readonly maxWaitMs: number
}) {
  const waiting = new Set<() => void>()
  let free = atOnce

  function acquire(): Promise<void> {
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(new SemaphoreTimeout())
      }, maxWaitMs)
      waiting.add(start)
    })
  }

  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await acquire()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next === undefined) free++
      else next()
    }
  }
}

export class SemaphoreTimeout extends Error {
  constructor() {
    super('waited too long for other calls')
    this.name = 'SemaphoreTimeout'
  }
}
