import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/upload'
import { AppError } from '@lapwing/http'
import type { Deps } from '../deps.ts'
import { lookAtObject } from './look-at-object.ts'
import { findSession, markCompleted, type UploadSession } from './session.repository.ts'

/**
 * Looks at the object and remembers which one it was. Nothing is locked while the store is asked; the
 * one statement at the end decides among calls at once, and those that come second answer the same.
 */
export function completeUpload({
  db,
  store,
  requirePrincipal,
  now,
}: Pick<Deps, 'db' | 'store' | 'requirePrincipal' | 'now'>): Handlers<operations>['completeUpload'] {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const { sessionId, key } = request.body
    const session = await findOwn(sessionId, key, userId)
    if (session.state === 'open') {
      const etag = await lookAtObject(store, session)
      if (etag === null)
        throw new AppError(now() < session.expiresAt ? 'upload.not_posted' : 'upload.expired')
      if (!(await markCompleted(db, session.id, { etag, now: now() }))) {
        requireKept(await findOwn(sessionId, key, userId))
      }
    } else {
      requireKept(session)
    }
    return { ok: true, sessionId: session.id, key: session.key, size: session.size }
  }

  /** Nobody learns of sessions that are not theirs: all three answer alike. */
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

function requireKept(session: UploadSession): void {
  if (session.state === 'removed') throw new AppError('upload.expired')
}
