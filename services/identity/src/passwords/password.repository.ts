import { type RawBuilder, sql } from 'kysely'
import { newId } from '../crypto/secrets.ts'
import type { Db } from '../database.ts'
import { forgetOrigins } from '../limits/known-origins.ts'
import type { KnownOrigin } from '../limits/limits.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'

export interface Credentials extends KnownOrigin {
  readonly userId: string
  readonly isLocked: boolean
  /** Null where the person signs in another way. */
  readonly hash: string | null
  readonly requiresReset: boolean
}

/**
 * Selects what a password is checked against, by mail address; no row if no account has the address.
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
 * Gives a person a new password. Every session of theirs ends, and what was mailed to them before
 * opens nothing any more: whoever knew the old password is out.
 */
export async function setPassword(work: Work, userId: string, hash: string): Promise<void> {
  await writePassword(work, userId, hash)
  await endSessionsOf(work, userId)
  await dropTokens(work.trx, userId)
  await forgetOrigins(work.trx, userId)
}

/** Writes a password and ends nothing; for an account that has just been made. */
export async function writePassword(work: Work, userId: string, hash: string): Promise<void> {
  const changing = { hash, requires_reset: false, set_at: work.now }
  await work.trx
    .insertInto('password')
    .values({ user_id: userId, password_id: newId('password'), ...changing })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(changing))
    .execute()
}

/** The same password under today's parameters; nothing where it was changed meanwhile. */
export async function replaceHash(db: Db, userId: string, old: string, hash: string): Promise<void> {
  await db
    .updateTable('password')
    .set({ hash })
    .where('user_id', '=', userId)
    .where('hash', '=', old)
    .execute()
}
