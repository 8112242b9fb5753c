import { fileURLToPath } from 'node:url'
import { AppError } from '@lapwing/http'
import { Piscina } from 'piscina'
import type { ReferenceTask } from './reference-thread.ts'

/** A bounded number of threads that write laps as JSON. */
export interface ReferencePool {
  /** Throws `ingest.busy` if too many laps wait. */
  toJson(
    packed: Uint8Array<ArrayBuffer>,
    encoding: ReferenceTask['encoding'],
    signal: AbortSignal,
  ): Promise<Uint8Array>
  close(): Promise<void>
}

export function createReferencePool({ threads: count }: { readonly threads: number }): ReferencePool {
  const threads = new Piscina<ReferenceTask, Uint8Array<ArrayBuffer>>({
    filename: fileURLToPath(new URL('./reference-thread.ts', import.meta.url)),
    name: 'writeReferenceJson',
    // Most clients accept the stored columns, so threads start only when needed.
    minThreads: 0,
    maxThreads: count,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    execArgv: [],
    recordTiming: false,
  })
  threads.on('error', () => undefined)
  let underWay = 0

  return {
    async toJson(packed, encoding, signal) {
      if (underWay >= count * MAX_PER_THREAD)
        throw new AppError('ingest.busy', { headers: { 'retry-after': '2' } })
      underWay++
      try {
        const task = { packed, encoding }
        return await threads.run(task, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
      } finally {
        underWay--
      }
    },
    close: () => threads.destroy(),
  }
}

/** Laps that are written or wait, for each thread. Each is a few megabytes. */
const MAX_PER_THREAD = 16
const TIMEOUT_MS = 10_000
