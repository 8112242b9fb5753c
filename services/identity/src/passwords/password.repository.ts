import { type RawBuilder, sql } from 'kysely'
import { endAuthorizationsOf } from '../connected-apps/end-authorizations.ts'
import { newId } from '../crypto/secrets.ts'
import type { Db } from '../database.ts'
import type { Deps } from '../deps.ts'
import { forgetOrigins } from '../limits/known-origins.ts'
import type { KnownOrigin, Limits } from '../limits/limits.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import { readEmail } from '../users/email-address.ts'
import type { Work } from '../work.ts'

export interface Credentials extends KnownOrigin {
  readonly userId: string
  readonly isLocked: boolean
  /** Null if the account has no password. */
  readonly hash: string | null
  readonly requiresReset: boolean
}

/**
 * Selects the credentials of a mail address; no row if no account has the address.
 *
 * @param known selects whether the account knows the origin of the request
 */
export function credentialsOf(
  addressKey: string,
  known: RawBuilder<unknown> = sql`false as "isKnownBrowser", false as "isKnownNetwork"`,
): RawBuilder<Credentials> {
  return sql`
    select email.user_id as "userId", person.locked_at is not null as "isLocked", password.hash,
      coalesce(password.requires_reset, false) as "requiresReset", ${known}
    from email join person on person.user_id = email.user_id
      left join password on password.user_id = email.user_id
    where email.address_key = ${addressKey}`
}

/**
 * Sets a new password. Ends every session of the account and the tokens of its connected apps. Drops its mailed
 * tokens and known origins, so that a stranger who knew the old password has no way in.
 */
export async function setPassword(work: Work, userId: string, hash: string): Promise<void> {
  await writePassword(work, userId, hash)
  await endSessionsOf(work, userId)
  await dropTokens(work.trx, userId)
  await endAuthorizationsOf(work, userId)
  await forgetOrigins(work.trx, userId)
}

/**
 * Limits how often a person changes the password while their address is unproved. A stranger can have signed
 * up with it. Each change drops links, so the owner of the mailbox could otherwise never use one. Throws
 * `too_many_requests`.
 */
export async function countUnprovedChange(
  { trx, now }: Work,
  limits: Pick<Limits, 'countUnprovedChange'>,
  userId: string,
): Promise<void> {
  const unproved = await trx
    .selectFrom('email')
    .select('address_key')
    .where('user_id', '=', userId)
    .where('verified', '=', false)
    .executeTakeFirst()
  if (unproved !== undefined) await limits.countUnprovedChange(trx, unproved.address_key, now)
}

/** Mails that the password was changed, within a limit: a stranger can have signed up with the address. */
export async function notifyOfChange(
  work: Work,
  { limits, enqueueMail, settings }: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  address: string,
): Promise<void> {
  if (!(await limits.countNotice(work.trx, 'password_changed', readEmail(address).key, work.now))) return
  await enqueueMail(work, 'password_changed', address, { url: settings.publicOrigin.href })
}

/** Writes the password of a new account. Ends no sessions. */
export async function writePassword(work: Work, userId: string, hash: string): Promise<void> {
  const changing = { hash, requires_reset: false, set_at: work.now }
  await work.trx
    .insertInto('password')
    .values({ user_id: userId, password_id: newId('password'), ...changing })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(changing))
    .execute()
}

/**
 * Replaces the hash by one with the current parameters. Does nothing if the password has changed
 * meanwhile.
 */
export async function replaceHash(db: Db, userId: string, old: string, hash: string): Promise<void> {
  await db
    .updateTable('password')
    .set({ hash })
    .where('user_id', '=', userId)
    .where('hash', '=', old)
    .execute()
}
