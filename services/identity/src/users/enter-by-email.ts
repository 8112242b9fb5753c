import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import type { Deps } from '../deps.ts'
import type { Client } from '../http/client.ts'
import type { WayMailer } from '../mail/notify-of-way.ts'
import { isImpersonated } from '../sessions/impersonated.ts'
import { lockSessionOf } from '../sessions/lock-session-of.ts'
import { findSession } from '../sessions/session.repository.ts'
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

/** Purpose of a code or link, for an address or a number. */
export interface EmailIntent {
  readonly mayCreate: boolean
  /** User id of the signed-in person who adds it; null for a sign-in. */
  readonly addTo: string | null
}

/**
 * Locks the person of a code or link until the change is over. Call it before the code or link is locked:
 * every change uses this order, to prevent deadlocks. Two codes for one new address wait here for each
 * other, and create one account.
 *
 * @param find returns the owner of an address or of a number
 */
export async function lockAddressAndAccount(
  work: Work,
  addressKey: string,
  addTo: string | null,
  find: (trx: Trx, key: string) => Promise<{ readonly userId: string } | null> = findEmail,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enter ${addressKey}`}, 0))`.execute(work.trx)
  const userId = addTo ?? (await find(work.trx, addressKey))?.userId
  if (userId !== undefined) await lockActiveUser(work.trx, userId)
}

/**
 * Finds the account of a person who has proved that a mailbox is theirs. A sign-in uses the account of
 * the address, or creates one if `mayCreate`. A code or link that adds an address counts only in a
 * session of the person who requested it. Call `lockAddressAndAccount` first.
 *
 * @returns the proved address; null, without any change, if it opens nothing
 */
export async function enterByEmail(
  work: Work,
  deps: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  email: EmailAddress,
  client: Client,
  { mayCreate, addTo }: EmailIntent,
): Promise<Email | null> {
  if (addTo !== null) return addToAccount(work, deps, email, client, addTo)
  const known = await findEmail(work.trx, email.key)
  if (known !== null) {
    if (!(await lockActiveUser(work.trx, known.userId))) return null
    await verifyEmail(work, deps, known, { isTheirSession: await hasSessionOf(work, client, known.userId) })
    return known
  }
  if (!mayCreate) return null
  return addEmail(work, await createUser(work, deps.limits, client), email, { verified: true })
}

async function addToAccount(
  work: Work,
  mailer: WayMailer,
  email: EmailAddress,
  client: Client,
  addTo: string,
): Promise<Email | null> {
  if ((await lockSessionOf(work, client, addTo)) === null) return null
  const known = await findEmail(work.trx, email.key)
  if (known === null) return addEmail(work, addTo, email, { verified: true })
  if (known.userId !== addTo) return null
  await verifyEmail(work, mailer, known, { isTheirSession: true })
  return known
}

async function hasSessionOf({ trx, now }: Work, { sessionToken }: Client, userId: string): Promise<boolean> {
  const session = sessionToken === null ? null : await findSession(trx, sessionToken, now)
  return session?.userId === userId && !isImpersonated(session.factors)
}
