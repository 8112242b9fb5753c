import { AppError } from '@lapwing/http'
import type { Deps, HandlerOf } from '../deps.ts'
import { inspectObject } from './inspect-object.ts'
import { findSession, markCompleted, type UploadSession } from './session.repository.ts'

type Needs = Pick<Deps, 'db' | 'store' | 'requirePrincipal' | 'now'>

/**
 * Inspects the object and stores its ETag. Nothing is locked during the calls to the store. One statement at
 * the end decides between simultaneous calls, and all of them get the same answer.
 */
export function completeUpload({ db, store, requirePrincipal, now }: Needs): HandlerOf<'completeUpload'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const { sessionId, key } = request.body
    const session = await findOwn(sessionId, key, userId)
    if (session.state === 'open') {
      const etag = await inspectObject(store, session)
      if (etag === null)
        throw new AppError(now() < session.expiresAt ? 'upload.not_posted' : 'upload.expired')
      if (!(await markCompleted(db, session.id, { etag, now: now() }))) {
        rejectRemoved(await findOwn(sessionId, key, userId))
      }
    } else {
      rejectRemoved(session)
    }
    return { ok: true, sessionId: session.id, key: session.key, size: session.size }
  }

  /** Rejects with the same error in all three cases, so that a client learns nothing about other accounts. */
  async function findOwn(id: string, key: string, userId: string): Promise<UploadSession> {
    const session = await findSession(db, id)
    if (session === null || session.userId !== userId || session.key !== key) {
      throw new AppError('upload.not_found', {
        detail: 'This upload is not known. Please choose the file again.',
      })
    }
    return session
  }
}

function rejectRemoved(session: UploadSession): void {
  if (session.state === 'removed') throw new AppError('upload.expired')
}
