import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import { AppError } from '@lapwing/http'
import type { Deps } from '../deps.ts'
import { findForIngest } from '../uploads/session.repository.ts'

/** Returns the facts that ingest needs before it reads the file of an upload. Throws `upload.not_found`. */
export function getUploadSession({
  db,
  now,
}: Pick<Deps, 'db' | 'now'>): Handlers<operations>['getUploadSession'] {
  return async request => {
    const session = await findForIngest(db, request.params.sessionId, now())
    if (session === null) throw new AppError('upload.not_found')
    return {
      user_id: session.userId,
      key: session.key,
      size: session.size,
      etag: session.etag,
      state: session.state,
      completed_at: session.completedAt?.toISOString() ?? null,
    }
  }
}
