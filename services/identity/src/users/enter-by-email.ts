import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Client } from '../http/client.ts'
import { findSession, lockSession } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'
import type { EmailAddress } from './email-address.ts'
import {
  addEmail,
  createUser,
  type Email,
  findEmail,
  lockActiveUser,
  verifyEmail,
} from './user.repository.ts'

/** What a code or a link is for. */
export interface Meant {
  readonly mayCreate: boolean
  /** The signed-in person who asked to add the address; null for a sign-in. */
  readonly addTo: string | null
}

/**
 * Holds the person of a code or link until the change is over. It comes before the code or link itself is
 * held, in the order of every change, so that two never wait for each other. Two codes for one new address
 * wait here, and make one account.
 */
export async function holdPersonOf(work: Work, addressKey: string, addTo: string | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enter ${addressKey}`}, 0))`.execute(work.trx)
  const userId = addTo ?? (await findEmail(work.trx, addressKey))?.userId
  if (userId !== undefined) await lockActiveUser(work.trx, userId)
}

/**
 * Finds the account that a person enters by showing that a mailbox is theirs. A sign-in enters the
 * account of the address, or makes one if that was meant. A code or link that adds an address counts
 * only in a session of the person who asked for it. `holdPersonOf` comes first.
 *
 * @returns the address as it now is; null if it opens nothing, and then nothing has changed
 */
export async function enterByEmail(
  work: Work,
  { limits }: Pick<Deps, 'limits'>,
  email: EmailAddress,
  caller: Client,
  { mayCreate, addTo }: Meant,
): Promise<Email | null> {
  if (addTo !== null) return addToAccount(work, email, caller, addTo)
  const known = await findEmail(work.trx, email.key)
  if (known !== null) {
    if (!(await lockActiveUser(work.trx, known.userId))) return null
    await verifyEmail(work, known, { isTheirSession: await holdsSessionOf(work, caller, known.userId) })
    return known
  }
  if (!mayCreate) return null
  return addEmail(work, await createUser(work, limits, caller), email, { verified: true })
}

async function addToAccount(
  work: Work,
  email: EmailAddress,
  { sessionToken }: Client,
  addTo: string,
): Promise<Email | null> {
  if (sessionToken === null || !(await lockActiveUser(work.trx, addTo))) return null
  // Held until the change is over: a session that ends meanwhile adds nothing.
  const session = await lockSession(work, sessionToken)
  if (session?.userId !== addTo) return null
  const known = await findEmail(work.trx, email.key)
  if (known === null) return addEmail(work, addTo, email, { verified: true })
  if (known.userId !== addTo) return null
  await verifyEmail(work, known, { isTheirSession: true })
  return known
}

async function holdsSessionOf(
  { trx, now }: Work,
  { sessionToken }: Client,
  userId: string,
): Promise<boolean> {
  const session = sessionToken === null ? null : await findSession(trx, sessionToken, now)
  return session?.userId === userId
}
