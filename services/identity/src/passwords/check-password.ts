import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { activePersonGuard } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { credentialsOf, replaceHash } from './password.repository.ts'

/**
 * Counts a sign-in, checks the password and returns its account. Throws `unauthorized_credentials` for an
 * unknown address, one without a password, a locked account and a wrong password. All four do the same
 * work: a lookup and a hash. Throws `reset_password` and `breached_password` only for the right password.
 */
export async function checkPassword(
  { db, limits, hasher, origins, strength }: Pick<Deps, 'db' | 'limits' | 'hasher' | 'origins' | 'strength'>,
  client: Pick<Client, 'ipAddress' | 'browser'>,
  accountKey: string,
  password: string,
): Promise<CheckedCredentials> {
  const known = origins.select(client, sql.ref('email.user_id'))
  const { ipAddress, browser } = client
  const found = await limits.countSignIn({ ipAddress, browser, accountKey }, credentialsOf(accountKey, known))
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
 * Selects and locks a row, until the change is over, if the account is not locked and still has the
 * checked password. So no running sign-in survives a lock or a new password. The person is locked first,
 * as in every change, to prevent deadlocks.
 */
export function passwordGuard({ userId, hash }: CheckedCredentials): RawBuilder<unknown> {
  return sql`select person.roles, person.has_totp from (${activePersonGuard(userId)}) as person,
    lateral (select from password where password.user_id = person.user_id and hash = ${hash} for update) as held`
}

/** Does the same as the first step of a longer change. Throws `unauthorized_credentials` without a row. */
export async function lockPassword({ trx }: Work, credentials: CheckedCredentials): Promise<void> {
  const { rows } = await passwordGuard(credentials).execute(trx)
  if (rows.length === 0) throw new IdentityError('unauthorized_credentials')
}
