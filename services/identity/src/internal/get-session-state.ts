import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import type { Deps } from '../deps.ts'

/**
 * Returns whether a session is active. The gateway asks it while it cannot read ended sessions from Redis.
 */
export function getSessionState({ db, now }: Deps): Handlers<operations>['getSessionState'] {
  return async ({ params }) => {
    const session = await db
      .selectFrom('session')
      .select('session_id')
      .where('session_id', '=', params.id)
      .where('expires_at', '>', now())
      .executeTakeFirst()
    return { session_id: params.id, active: session !== undefined }
  }
}
