import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import { isAuthorizationActive } from '../connected-apps/authorization.repository.ts'
import type { Deps } from '../deps.ts'

/**
 * Returns whether a session, or an authorization of a connected app, is active. The gateway asks it while it cannot
 * read ended ones from Redis.
 */
export function getSessionState({ db, now }: Deps): Handlers<operations>['getSessionState'] {
  return async ({ params }) => {
    const session = await db
      .selectFrom('session')
      .select('session_id')
      .where('session_id', '=', params.id)
      .where('expires_at', '>', now())
      .executeTakeFirst()
    const isActive = session !== undefined || (await isAuthorizationActive(db, params.id, now()))
    return { session_id: params.id, active: isActive }
  }
}
