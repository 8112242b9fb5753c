import { Histogram, SECONDS, timed } from '@lapwing/metrics'
import type { ObjectStore } from './object-store.ts'
import { isStoreError, type StoreErrorCode } from './store-error.ts'

const seconds = new Histogram({
  name: 'lapwing_object_store_seconds',
  help: 'Time of a call to the object store with its attempts. Only the outcome unavailable is its fault.',
  labelNames: ['operation', 'outcome'],
  buckets: SECONDS,
})

/** `stopped`: the caller cancelled, or its own code failed. */
type Outcome = 'ok' | StoreErrorCode | 'stopped'

/** Returns the store with a histogram of its calls. A download counts with the time of its reader. */
export function measureCalls(store: ObjectStore): ObjectStore {
  const measured =
    <Args extends readonly unknown[], Answer>(
      operation: string,
      call: (...args: Args) => Promise<Answer>,
    ): ((...args: Args) => Promise<Answer>) =>
    async (...args) => {
      const labels: { operation: string; outcome: Outcome } = { operation, outcome: 'ok' }
      return timed(seconds, labels, async () => {
        try {
          return await call(...args)
        } catch (error) {
          labels.outcome = isStoreError(error) ? error.code : 'stopped'
          throw error
        }
      })
    }
  return {
    ...store,
    head: measured('head', store.head),
    get: measured('get', store.get),
    download: measured('download', store.download),
    put: measured('put', store.put),
    delete: measured('delete', store.delete),
    list: measured('list', store.list),
    check: measured('check', store.check),
  }
}
