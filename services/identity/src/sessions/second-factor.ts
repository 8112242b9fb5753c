import type { Db, SessionFactor, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { User } from '../users/user.ts'
import { isImpersonated, refuseImpersonation } from './impersonated.ts'
import type { Session } from './session.repository.ts'

/** Types of factors that only the authenticator app, or its recovery codes, can add. */
const APP_FACTORS: ReadonlySet<string> = new Set(['totp', 'recovery_codes'])
/** A passkey asks its owner for a PIN or a finger, so it is two factors in one. */
const COMPLETING_FACTORS: ReadonlySet<string> = new Set([...APP_FACTORS, 'webauthn'])

/** A session as far as these checks need it. */
type FactorsOf = Pick<Session, 'userId' | 'factors'>

/**
 * Returns whether the session has all factors that its account needs. An operator's session needs none: the
 * operator was trusted before.
 */
export function isComplete({ factors }: Pick<Session, 'factors'>, { totps }: Pick<User, 'totps'>): boolean {
  const hasAll = secondFactorsOf(factors).length > 0 || !totps.some(({ verified }) => verified)
  return hasAll || isImpersonated(factors)
}

/** Returns the factors that complete a session. They stay with a person who changes the password. */
export function secondFactorsOf(factors: readonly SessionFactor[]): readonly SessionFactor[] {
  return factors.filter(({ type }) => COMPLETING_FACTORS.has(type))
}

/**
 * Throws `insufficient_factors` for a session that lacks the second factor of its account, and
 * `unauthorized_action` for an operator's session. Required by every call that changes the account or shows more
 * of it than the account's data.
 */
export function requireComplete(db: Db | Trx, session: FactorsOf): Promise<void> {
  return requireFactor(db, session, COMPLETING_FACTORS)
}

/**
 * Throws `insufficient_factors` if the account has an authenticator app and neither its code nor a recovery
 * code is in the session. A passkey is not enough, as the protocol requires.
 */
export function requireApp(db: Db | Trx, session: FactorsOf): Promise<void> {
  return requireFactor(db, session, APP_FACTORS)
}

async function requireFactor(
  db: Db | Trx,
  { userId, factors }: FactorsOf,
  types: ReadonlySet<string>,
): Promise<void> {
  refuseImpersonation({ factors })
  if (factors.some(({ type }) => types.has(type))) return
  const app = await db
    .selectFrom('totp')
    .select('totp_id')
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst()
  if (app !== undefined) throw new IdentityError('insufficient_factors')
}
