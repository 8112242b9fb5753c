import { type RawBuilder, sql } from 'kysely'
import { newId } from '../crypto/secrets.ts'
import type { Db } from '../database.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'

export interface Credentials {
  readonly userId: string
  readonly isLocked: boolean
  /** Null where the person signs in another way. */
  readonly hash: string | null
  readonly requiresReset: boolean
}

/** Selects what there is to check a password against, by mail address; no row where nobody has it. */
export function credentialsOf(addressKey: string): RawBuilder<Credentials> {
  return sql`
    select email.user_id as "userId", person.locked_at is not null as "isLocked", password.hash,
      coalesce(password.requires_reset, false) as "requiresReset"
    from email join person on person.user_id = email.user_id
      left join password on password.user_id = email.user_id
    where email.address_key = ${addressKey}`
}

/**
 * Gives a person a new password. Every session of theirs ends, and what was mailed to them before
 * opens nothing any more: whoever knew the old password is out.
 */
export async function setPassword(work: Work, userId: string, hash: string): Promise<void> {
  const changing = { hash, requires_reset: false, set_at: work.now }
  await work.trx
    .insertInto('password')
    .values({ user_id: userId, password_id: newId('password'), ...changing })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(changing))
    .execute()
  await endSessionsOf(work, userId)
  await dropTokens(work.trx, userId)
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
