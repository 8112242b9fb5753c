import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import type { Work } from '../work.ts'
import { credentialsOf, replaceHash } from './password.repository.ts'

/**
 * Counts a sign-in and says whose password it is. An unknown address, one without a password, a locked person and a wrong
 * password are one answer after the same work: a lookup and a hash. `reset_password` is said only to
 * somebody who knows the password.
 */
export async function checkPassword(
  { db, limits, hasher }: Pick<Deps, 'db' | 'limits' | 'hasher'>,
  { ipAddress }: Pick<Client, 'ipAddress'>,
  accountKey: string,
  password: string,
): Promise<CheckedCredentials> {
  const found = await limits.take('signIn', { ipAddress, accountKey }, credentialsOf(accountKey))
  const usable = found !== null && !found.isLocked ? found : null
  const matches = await hasher.verify(usable?.hash ?? null, password)
  if (usable === null || usable.hash === null || !matches) {
    throw new IdentityError('unauthorized_credentials')
  }
  if (usable.requiresReset) throw new IdentityError('reset_password')
  if (!hasher.isOutdated(usable.hash)) return { userId: usable.userId, hash: usable.hash }
  const hash = await hasher.hash(password)
  await replaceHash(db, usable.userId, usable.hash, hash)
  return { userId: usable.userId, hash }
}

export interface CheckedCredentials {
  readonly userId: string
  readonly hash: string
}

/**
 * Selects a row, held until the change is over, where the password that was checked is still the
 * person's: a sign-in that was under way while the password changed must not outlive it.
 */
export function passwordStands({ userId, hash }: CheckedCredentials): RawBuilder<unknown> {
  return sql`select from password where user_id = ${userId} and hash = ${hash} for update`
}

/** The same as the first step of a longer change: whoever locks a password locks it before sessions. */
export async function holdPassword({ trx }: Work, credentials: CheckedCredentials): Promise<void> {
  const { rows } = await passwordStands(credentials).execute(trx)
  if (rows.length === 0) throw new IdentityError('unauthorized_credentials')
}
