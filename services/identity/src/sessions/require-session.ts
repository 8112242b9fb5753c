import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { refuseImpersonation } from './impersonated.ts'
import { findSession, lockSession, type Session } from './session.repository.ts'

/**
 * Returns the client's session, locked until the change is over. Throws `user_unauthenticated` or
 * `session_not_found`: these make the protocol's client sign out. After any other error it would retry
 * for ever.
 */
export async function requireSession(work: Work, client: Client): Promise<Session & { token: string }> {
  if (client.sessionToken === null) throw new IdentityError('user_unauthenticated')
  const session = await lockSession(work, client.sessionToken)
  if (session === null) throw new IdentityError('session_not_found')
  return { ...session, token: client.sessionToken }
}

/**
 * Does the same for a change of the person. Locks the person first and the session second, as in every
 * change, to prevent deadlocks. Throws `unauthorized_action` for an operator's session.
 */
export async function requireOwnSession(work: Work, client: Client): Promise<Session & { token: string }> {
  const { userId } = await readSession(work.trx, client, work.now)
  await lockActiveUser(work.trx, userId)
  const session = await requireSession(work, client)
  refuseImpersonation(session)
  return session
}

/** Does the same without locks, for a call that changes nothing. */
export async function readSession(db: Db | Trx, client: Client, now: Date): Promise<Session> {
  if (client.sessionToken === null) throw new IdentityError('user_unauthenticated')
  const session = await findSession(db, client.sessionToken, now)
  if (session === null) throw new IdentityError('session_not_found')
  return session
}
