import { sql } from 'kysely'
import type { MailLimits, Requester } from '../limits/mail-limits.ts'
import type { EmailAddress } from '../users/email-address.ts'
import type { Work } from '../work.ts'

/**
 * Milliseconds in which an unused link answers further requests of its purpose. An unused code does so for its
 * requester.
 */
export const RESEND_MS = 15_000

/** Why a mail was requested. Two requests share a mail only if they have the same purpose. */
export type Purpose = 'login' | 'login_or_create' | 'reset' | `add to ${string}`

/** Returns the purpose of adding an address to a signed-in person's account. */
export function addingTo(userId: string): Purpose {
  return `add to ${userId}`
}

export interface MailRequest {
  readonly what: 'code' | 'link'
  readonly purpose: Purpose
  readonly to: EmailAddress
  readonly requester: Requester
  /** Whether only the requesting browser can use the link. */
  readonly isBound?: boolean
}

/** Locks requests for the same mail until the change is over, so that they run one after another. */
export async function lockRequest({ trx }: Work, { what, purpose, to }: MailRequest): Promise<void> {
  const name = `mail ${what} ${purpose} ${to.key}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/** Counts a mail and returns whether it can be sent now. Stops strangers from flooding a mailbox. */
export function countMail(
  { trx, now }: Work,
  limits: Pick<MailLimits, 'countMail'>,
  { what, purpose, to, requester, isBound = false }: MailRequest,
): Promise<boolean> {
  const bucketOf = (counted: string) => `mail ${what} ${counted} ${isBound ? 'bound' : 'open'} ${to.key}`
  // All accounts share one count for adding an address, so that many accounts cannot send many mails.
  const isAdding = purpose.startsWith('add to ')
  // Both ways to sign in share the limits of an hour, so that a guesser does not get twice as many codes.
  const isSignIn = purpose === 'login' || purpose === 'login_or_create'
  return limits.countMail(
    trx,
    {
      hourly: bucketOf(isAdding ? 'add' : isSignIn ? 'sign-in' : purpose),
      spaced: bucketOf(isAdding ? 'add' : purpose),
      requester,
    },
    now,
  )
}
