import { createInternalService, ServiceUnavailable } from './internal-service.ts'

/** What upload knows of a session. */
export interface UploadSession {
  readonly userId: string
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Of the object as it was checked; null where it was not completed. */
  readonly etag: string | null
  readonly state: 'open' | 'completed' | 'expired' | 'removed'
}

export interface UploadClient {
  /** Null where there is no such session; throws `ServiceUnavailable`. */
  findSession(sessionId: string): Promise<UploadSession | null>
}

export function createUploadClient(options: { readonly url: URL; readonly key: Uint8Array }): UploadClient {
  const upload = createInternalService({ name: 'upload', timeoutMs: 5_000, ...options })
  return {
    async findSession(sessionId) {
      const path = `/internal/upload-sessions/${encodeURIComponent(sessionId)}`
      const { status, body } = await upload.ask('GET', path, { expected: [200, 404] })
      if (status === 404) return null
      const session = body as {
        readonly user_id?: unknown
        readonly key?: unknown
        readonly size?: unknown
        readonly etag?: unknown
        readonly state?: unknown
      }
      const { user_id: userId, key, size, etag = null, state } = session
      if (
        typeof userId !== 'string' ||
        typeof key !== 'string' ||
        typeof size !== 'number' ||
        !(typeof etag === 'string' || etag === null) ||
        !isState(state)
      ) {
        throw new ServiceUnavailable('upload', new Error('the answer is no session'), { isAway: false })
      }
      return { userId, key, size, etag, state }
    },
  }
}

function isState(value: unknown): value is UploadSession['state'] {
  return value === 'open' || value === 'completed' || value === 'expired' || value === 'removed'
}
