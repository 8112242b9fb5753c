import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { requireSession } from '../sessions/require-session.ts'
import type { Session } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'
import type { EmailAddress } from './email-address.ts'

/**
 * The session of somebody who may add this address. Whoever has an address that is not verified must
 * verify that one first: else a stranger could sign up with it, add one of their own and keep a way
 * into what its owner later takes for theirs.
 */
export async function requireAddable(work: Work, caller: Client, email: EmailAddress): Promise<Session> {
  const session = await requireSession(work, caller)
  const unverified = await work.trx
    .selectFrom('email')
    .select('email_id')
    .where('user_id', '=', session.userId)
    .where('verified', '=', false)
    .where('address_key', '!=', email.key)
    .executeTakeFirst()
  if (unverified !== undefined) {
    throw new IdentityError('unauthorized_action', { message: 'Please verify your email address first.' })
  }
  return session
}
