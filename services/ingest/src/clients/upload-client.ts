import type { operations } from '@lapwing/contracts/internal'
import { createInternalService } from '@lapwing/internal'
import { createSemaphore } from './semaphore.ts'

/** What upload knows about one upload. */
export type UploadSession = operations['getUploadSession']['responses'][200]['content']['application/json']

export interface UploadClient {
  /** Returns null if the upload is unknown. Throws `ServiceUnavailable`. */
  findSession(sessionId: string): Promise<UploadSession | null>
}

export function createUploadClient(options: { readonly url: URL; readonly key: Uint8Array }): UploadClient {
  // Hundreds of concurrent connections would take longer in all than a few of them one after another.
  const limit = createSemaphore({ atOnce: 16, maxWaitMs: TIMEOUT_MS })
  const upload = createInternalService({ name: 'upload', timeoutMs: TIMEOUT_MS, limit, ...options })
  return {
    findSession: sessionId =>
      upload.find('getUploadSession', client =>
        client.GET('/internal/upload-sessions/{sessionId}', { params: { path: { sessionId } } }),
      ),
  }
}

const TIMEOUT_MS = 5_000
