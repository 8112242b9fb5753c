import { newId } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'

export interface Credentials {
  readonly userId: string
  readonly emailId: string
  readonly isLocked: boolean
  /** Null where the person signs in another way. */
  readonly hash: string | null
  readonly requiresReset: boolean
}

/** What there is to check a password against, by mail address; null where nobody has it. */
export async function findCredentials(db: Db | Trx, addressKey: string): Promise<Credentials | null> {
  const row = await db
    .selectFrom('email')
    .innerJoin('person', 'person.user_id', 'email.user_id')
    .leftJoin('password', 'password.user_id', 'email.user_id')
    .select([
      'email.user_id',
      'email.email_id',
      'person.locked_at',
      'password.hash',
      'password.requires_reset',
    ])
    .where('email.address_key', '=', addressKey)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    userId: row.user_id,
    emailId: row.email_id,
    isLocked: row.locked_at !== null,
    hash: row.hash,
    requiresReset: row.requires_reset ?? false,
  }
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
