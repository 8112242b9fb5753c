import { sql } from 'kysely'
import type { Limits } from '../limits/limits.ts'
import type { EmailAddress } from '../users/email-address.ts'
import type { Work } from '../work.ts'

/** Milliseconds during which an unused code or link answers further requests of its purpose. */
export const RESEND_MS = 15_000

/** What a mail is asked for. Two requests share a mail only if they have the same purpose. */
export type Purpose = 'login' | 'login_or_create' | 'reset' | `add to ${string}`

/** The purpose of a request by a signed-in person, to add an address to their account. */
export function addingTo(userId: string): Purpose {
  return `add to ${userId}`
}

export interface MailRequest {
  readonly what: 'code' | 'link'
  readonly purpose: Purpose
  readonly to: EmailAddress
  /** Whether only the browser that asked can open the link. Such a mail helps no other browser. */
  readonly isBound?: boolean
}

/** Makes requests for the same mail wait for each other until the change is over. */
export async function lockRequest({ trx }: Work, { what, purpose, to }: MailRequest): Promise<void> {
  const name = `mail ${what} ${purpose} ${to.key}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/** Whether the address can be sent another mail of this kind now. Strangers cannot flood a mailbox. */
export function mayMail(
  { trx, now }: Work,
  limits: Pick<Limits, 'mayMail'>,
  { what, purpose, to, isBound = false }: MailRequest,
): Promise<boolean> {
  // One count for all who ask to add the address, so that many accounts do not make many mails.
  const counted = purpose.startsWith('add to ') ? 'add' : purpose
  return limits.mayMail(trx, `mail ${what} ${counted} ${isBound ? 'bound' : 'open'} ${to.key}`, now)
}
