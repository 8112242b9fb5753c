/**
 * Lets so many pieces of work run at once, the others in the order they came. One that has waited for
 * `maxWaitMs` rejects with `SemaphoreTimeout` without having begun.
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
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(new SemaphoreTimeout())
      }, maxWaitMs)
      waiting.add(begin)
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
    super('others were first for too long')
    this.name = 'SemaphoreTimeout'
  }
}
