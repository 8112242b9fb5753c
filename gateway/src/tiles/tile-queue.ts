import { AppError } from '@lapwing/http'
import pLimit from 'p-limit'
import type { GatewayCode } from '../errors.ts'

/**
 * Creates the queue of a source: a function that runs at most `atOnce` works at the same time, in the order of the
 * calls. It rejects with `gateway.overloaded` if the turn does not come within `maxWaitMs`, and with the reason of
 * `gone` if the client leaves before its turn. Such a work never starts.
 */
export function createTileQueue(atOnce: number, maxWaitMs: number) {
  const limit = pLimit(atOnce)

  return <Value>(work: () => Promise<Value>, gone: AbortSignal): Promise<Value> =>
    new Promise((resolve, reject) => {
      const late = AbortSignal.timeout(maxWaitMs)
      const over = AbortSignal.any([gone, late])
      const giveUp = () => {
        reject(
          gone.aborted
            ? gone.reason
            : new AppError<GatewayCode>('gateway.overloaded', { headers: { 'retry-after': '1' } }),
        )
      }
      over.addEventListener('abort', giveUp, { once: true })
      // `p-limit` cannot drop one waiting call, so it stays in its queue and does nothing there.
      void limit(async () => {
        if (over.aborted) return
        over.removeEventListener('abort', giveUp)
        await work().then(resolve, reject)
      })
    })
}
