import { randomUUID } from 'node:crypto'
import type { ObjectStore } from '@lapwing/object-store'
import { type InternalServer, serveInternal } from './serve.ts'

export interface UploadedFile {
  readonly sessionId: string
  readonly key: string
}

export interface FakeUpload extends InternalServer {
  /** Stores a file in the bucket as a completed upload of that account. */
  addFile(userId: string, bytes: Uint8Array): Promise<UploadedFile>
  /** Adds an upload without a file. */
  addSession(session: Partial<Session> & { readonly user_id: string }): UploadedFile
  /** `well` answers, `failing` answers 503, `silent` does not answer. */
  mood: 'well' | 'failing' | 'silent'
  /** Number of requests so far. */
  readonly asked: () => number
}

interface Session {
  readonly user_id: string
  readonly key: string
  readonly size: number
  readonly etag: string | null
  readonly state: 'open' | 'completed' | 'removed'
  readonly completed_at: string | null
}

/** Starts a fake of upload's internal routes, whose faults a test can set. */
export async function startFakeUpload(store: Pick<ObjectStore, 'put'>): Promise<FakeUpload> {
  const sessions = new Map<string, Session>()
  let asked = 0
  const server = await serveInternal('upload', async ({ path }) => {
    asked++
    if (fake.mood === 'failing') return { status: 503 }
    if (fake.mood === 'silent') await new Promise(resolve => setTimeout(resolve, 60_000).unref())
    const id = /^\/internal\/upload-sessions\/([0-9a-f-]{36})$/.exec(path)?.[1]
    const session = id === undefined ? undefined : sessions.get(id)
    return session === undefined ? { status: 404, body: {} } : { status: 200, body: session }
  })
  const addSession: FakeUpload['addSession'] = session => {
    const sessionId = randomUUID()
    const key = session.key ?? `uploads/${randomUUID()}`
    sessions.set(sessionId, {
      key,
      size: 1,
      etag: '"none"',
      state: 'completed',
      completed_at: '2026-01-01T00:00:00Z',
      ...session,
    })
    return { sessionId, key }
  }
  const fake: FakeUpload = {
    ...server,
    mood: 'well',
    asked: () => asked,
    addSession,
    async addFile(userId, bytes) {
      const key = `uploads/${randomUUID()}`
      const { etag } = await store.put(key, bytes, { contentType: 'application/octet-stream' })
      return addSession({ user_id: userId, key, etag, size: bytes.byteLength })
    },
  }
  return fake
}
