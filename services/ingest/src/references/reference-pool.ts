import { AppError } from '@lapwing/http'
import { createThreadPool } from '@lapwing/threads'
import type { ReferenceTask } from './reference-thread.ts'

export type ReferencePool = ReturnType<typeof createReferencePool>

/** Creates a bounded number of threads that write laps as JSON. */
export function createReferencePool({ threads: count }: { readonly threads: number }) {
  const threads = createThreadPool<ReferenceTask, Uint8Array<ArrayBuffer>>({
    module: new URL('./reference-thread.ts', import.meta.url),
    name: 'writeReferenceJson',
    threads: count,
    // Most clients accept the stored columns, so threads start only when needed.
    idleMs: 60_000,
    heapMb: 256,
  })

  return {
    /** Throws `ingest.busy` if too many laps wait. */
    async toJson({ packed, encoding }: ReferenceTask, signal: AbortSignal): Promise<Uint8Array> {
      if (threads.underWay() >= count * MAX_PER_THREAD)
        throw new AppError('ingest.busy', { headers: { 'retry-after': '2' } })
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      return threads.run({ packed, encoding }, { timeout })
    },
    close: threads.close,
  }
}

/** Laps that are written or wait, for each thread. Each is a few megabytes. */
const MAX_PER_THREAD = 16
const TIMEOUT_MS = 10_000
