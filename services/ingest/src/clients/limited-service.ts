import { createInternalService, type InternalService } from '@lapwing/internal'
import { createSemaphore } from './semaphore.ts'

export interface ServiceAddress {
  readonly url: URL
  /** The `INTERNAL_KEY` that both services share. */
  readonly key: Uint8Array
}

/** Creates the client of another service, with a bounded number of concurrent calls. */
export function createLimitedService(name: string, address: ServiceAddress): InternalService {
  // Hundreds of concurrent connections would take longer in all than a few of them one after another.
  const limit = createSemaphore({ atOnce: 16, maxWaitMs: TIMEOUT_MS })
  return createInternalService({ name, timeoutMs: TIMEOUT_MS, limit, ...address })
}

const TIMEOUT_MS = 5_000
