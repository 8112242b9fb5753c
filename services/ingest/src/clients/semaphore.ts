import pLimit from 'p-limit'

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
  const limit = pLimit(atOnce)

  return <Value>(work: () => Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(new SemaphoreTimeout())
      }, maxWaitMs)
      // `p-limit` cannot drop one waiting call, so a late one stays in its queue and does nothing there.
      limit(async () => {
        clearTimeout(timer)
        if (!isLate) resolve(await work())
      }).catch(reject)
    })
}

export class SemaphoreTimeout extends Error {
  constructor() {
    super('waited too long for other calls')
    this.name = 'SemaphoreTimeout'
  }
}
