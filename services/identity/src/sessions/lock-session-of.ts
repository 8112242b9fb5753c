import type { Client } from '../http/client.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { requireComplete } from './second-factor.ts'
import { lockSession, type Session } from './session.repository.ts'

/**
 * Locks a person and the client's session, so that a session that ends meanwhile changes nothing. Returns the
 * session; null unless it is theirs. Throws `insufficient_factors` if it lacks the second factor of the account.
 */
export async function lockSessionOf(
  work: Work,
  { sessionToken }: Client,
  userId: string,
): Promise<Session | null> {
  if (sessionToken === null || !(await lockActiveUser(work.trx, userId))) return null
  const session = await lockSession(work, sessionToken)
  if (session?.userId !== userId) return null
  await requireComplete(work, session)
  return session
}
