import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { requireSession } from '../sessions/require-session.ts'
import { requireComplete } from '../sessions/second-factor.ts'
import type { Session } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'

/**
 * Returns the client's session if its person can add the address or number. Throws `unauthorized_action` while
 * another address of theirs is unverified. Otherwise a stranger could sign up with another person's
 * address, add their own and keep a way into the account. Throws `insufficient_factors` without the second
 * factor of the account.
 */
export async function requireAddable(
  work: Work,
  client: Client,
  { key }: { readonly key: string },
): Promise<Session> {
  const session = await requireSession(work, client)
  await requireComplete(work, session)
  const unverified = await work.trx
    .selectFrom('email')
    .select('email_id')
    .where('user_id', '=', session.userId)
    .where('verified', '=', false)
    .where('address_key', '!=', key)
    .executeTakeFirst()
  if (unverified !== undefined) {
    throw new IdentityError('unauthorized_action', { message: 'Please verify your email address first.' })
  }
  return session
}
