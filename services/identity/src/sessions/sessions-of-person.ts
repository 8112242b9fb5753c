import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { isImpersonated } from './impersonated.ts'
import { requireRecentSignIn } from './recent-sign-in.ts'
import { readSession, requireOwnSession } from './require-session.ts'
import { requireComplete, requireCompleteToRead } from './second-factor.ts'
import { endSessionsOf } from './session.repository.ts'

/** Sessions in one answer. Only a program has more. */
const MAX_LISTED = 100

/**
 * Lists the sessions of the person, so that they find one that is not theirs. Needs a recent sign-in, so that a stolen
 * session shows nothing about the others. The page asks for it before it shows anything that opens the account.
 */
export function getSessions({ db, readClient, settings, now }: Deps): HandlerOf<'getSessions'> {
  return async request => {
    const at = now()
    const current = await readSession(db, readClient(request), at)
    await requireCompleteToRead({ trx: db, ...settings }, current)
    // An operator who acts for the person cannot confirm anything.
    if (!isImpersonated(current.factors)) requireRecentSignIn(current, at, 'session_too_old')
    const sessions = await db
      .selectFrom('session')
      .select(['session_id', 'started_at', 'last_accessed_at', 'expires_at', 'user_agent', 'factors'])
      .where('user_id', '=', current.userId)
      .where('expires_at', '>', at)
      .orderBy('last_accessed_at', 'desc')
      .orderBy('session_id')
      .limit(MAX_LISTED)
      .execute()
    return answer(request, {
      sessions: sessions.map(({ factors, ...session }) => ({
        session_id: session.session_id,
        started_at: session.started_at.toISOString(),
        last_accessed_at: session.last_accessed_at.toISOString(),
        expires_at: session.expires_at.toISOString(),
        user_agent: session.user_agent,
        is_current: session.session_id === current.sessionId,
        is_operator: isImpersonated(factors),
      })),
    })
  }
}

/** Ends every session of the person but the one of this request. Needs a recent sign-in. */
export function revokeOtherSessions({ change, readClient }: Deps): HandlerOf<'revokeOtherSessions'> {
  return async request => {
    const client = readClient(request)
    await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      requireRecentSignIn(session, work.now, 'session_too_old')
      await endSessionsOf(work, session.userId, session.sessionId)
    })
    return answer(request, {})
  }
}
