import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { personStands } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { credentialsOf, replaceHash } from './password.repository.ts'

/**
 * Counts a sign-in and says whose password it is. An unknown address, one without a password, a locked person and a wrong
 * password are one answer after the same work: a lookup and a hash. `reset_password` and
 * `breached_password` are said only to a person who knows the password.
 */
export async function checkPassword(
  { db, limits, hasher, origins, strength }: Pick<Deps, 'db' | 'limits' | 'hasher' | 'origins' | 'strength'>,
  caller: Pick<Client, 'ipAddress' | 'browser'>,
  accountKey: string,
  password: string,
): Promise<CheckedCredentials> {
  const known = origins.select(caller, sql.ref('email.user_id'))
  const { ipAddress, browser } = caller
  const found = await limits.takeSignIn({ ipAddress, browser, accountKey }, credentialsOf(accountKey, known))
  const usable = found !== null && !found.isLocked ? found : null
  const matches = await hasher.verify(usable?.hash ?? null, password)
  if (usable === null || usable.hash === null || !matches) {
    throw new IdentityError('unauthorized_credentials')
  }
  if (usable.requiresReset) throw new IdentityError('reset_password')
  if (strength.isBreached(password)) throw new IdentityError('breached_password')
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
 * Selects a row, held until the change is over, if the person is not locked and still has the password
 * that was checked. A sign-in that is under way must not outlive either. The person is held first, as
 * everywhere, so that two changes never wait for each other.
 */
export function passwordStands({ userId, hash }: CheckedCredentials): RawBuilder<unknown> {
  return sql`select person.roles from (${personStands(userId)}) as person,
    lateral (select from password where password.user_id = person.user_id and hash = ${hash} for update) as held`
}

/** Does the same as the first step of a longer change. */
export async function holdPassword({ trx }: Work, credentials: CheckedCredentials): Promise<void> {
  const { rows } = await passwordStands(credentials).execute(trx)
  if (rows.length === 0) throw new IdentityError('unauthorized_credentials')
}
