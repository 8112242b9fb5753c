import { Histogram, SECONDS, timed } from '@lapwing/metrics'
import { withSpan } from '@lapwing/tracing'
import { isStoreError, type StoreErrorCode } from './store-error.ts'

const seconds = new Histogram({
  name: 'lapwing_object_store_seconds',
  help: 'Time of a call to the object store with its attempts. Only the outcome unavailable is its fault.',
  labelNames: ['operation', 'outcome'],
  buckets: SECONDS,
})

/** `stopped`: the caller cancelled, or its own code failed. */
type Outcome = 'ok' | StoreErrorCode | 'stopped'

const OPERATIONS = ['head', 'get', 'download', 'put', 'putStream', 'delete', 'list', 'check'] as const
type Call = (...args: never[]) => Promise<unknown>

/** Returns the store with a histogram and spans of its calls. A download counts with the time of its reader. */
export function measureCalls<Store extends Readonly<Record<(typeof OPERATIONS)[number], Call>>>(
  store: Store,
): Store {
  const measured = OPERATIONS.map(operation => [operation, measure(operation, store[operation])])
  return { ...store, ...Object.fromEntries(measured) }
}

function measure(operation: string, call: Call): Call {
  return async (...args) => {
    const labels: { operation: string; outcome: Outcome } = { operation, outcome: 'ok' }
    return timed(seconds, labels, async () => {
      try {
        return await withSpan({ name: `store ${operation}`, kind: 'client' }, () => call(...args))
      } catch (error) {
        labels.outcome = isStoreError(error) ? error.code : 'stopped'
        throw error
      }
    })
  }
}
