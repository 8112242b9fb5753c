import { setTimeout } from 'node:timers/promises'
import { isStoreError } from '@lapwing/object-store'

/** Milliseconds before each further try. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000]

/** Repeats `work` while the object store is unavailable, for half a minute. Rejects with its last error. */
export async function keepTrying<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<Value> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const pauseMs = pausesMs[tries]
      if (!isStoreError(error, 'unavailable') || pauseMs === undefined) throw error
      await setTimeout(pauseMs, undefined, { signal })
    }
  }
}
