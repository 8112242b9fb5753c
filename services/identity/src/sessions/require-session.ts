import type { Db } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import type { Work } from '../work.ts'
import { findSession, lockSession, type Session } from './session.repository.ts'

/**
 * The session of whoever calls, held until the change is over. Both errors are among those at which
 * the client takes itself for signed out; after any other it would try for ever.
 */
export async function requireSession(work: Work, client: Client): Promise<Session & { token: string }> {
  if (client.sessionToken === null) throw new IdentityError('user_unauthenticated')
  const session = await lockSession(work, client.sessionToken)
  if (session === null) throw new IdentityError('session_not_found')
  return { ...session, token: client.sessionToken }
}

/** The same for a call that changes nothing. */
export async function readSession(db: Db, client: Client, now: Date): Promise<Session> {
  if (client.sessionToken === null) throw new IdentityError('user_unauthenticated')
  const session = await findSession(db, client.sessionToken, now)
  if (session === null) throw new IdentityError('session_not_found')
  return session
}
