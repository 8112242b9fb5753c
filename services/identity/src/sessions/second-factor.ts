import type { Db, SessionFactor, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { User } from '../users/user.ts'
import type { SecondFactorPolicy } from '../work.ts'
import { isImpersonated, refuseImpersonation } from './impersonated.ts'
import type { Session } from './session.repository.ts'

/** Types of factors that only the authenticator app, or its recovery codes, can add. */
const APP_FACTORS: ReadonlySet<string> = new Set(['totp', 'recovery_codes'])
/** A passkey asks its owner for a PIN or a finger, so it is two factors in one. */
const COMPLETING_FACTORS: ReadonlySet<string> = new Set([...APP_FACTORS, 'webauthn'])

/** The database, and whether everybody needs a second factor. A change (`work.ts`) has both. */
interface Policed {
  readonly trx: Db | Trx
  readonly secondFactor: SecondFactorPolicy
}

/** A session as far as these checks need it. */
type FactorsOf = Pick<Session, 'userId' | 'factors'>

/**
 * Returns whether the session has all factors that its account, or the policy, needs. An operator's session needs
 * none: the operator was trusted before.
 */
export function isComplete(
  { factors }: Pick<Session, 'factors'>,
  { totps }: Pick<User, 'totps'>,
  policy: SecondFactorPolicy,
): boolean {
  const needsSecond = policy === 'required' || totps.some(({ verified }) => verified)
  return !needsSecond || secondFactorsOf(factors).length > 0 || isImpersonated(factors)
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
export function requireComplete(at: Policed, session: FactorsOf): Promise<void> {
  return requireFactor(at, session, COMPLETING_FACTORS)
}

/** Does the same for a call that only shows something. An operator who acts for the person sees what they see. */
export async function requireCompleteToRead(at: Policed, session: FactorsOf): Promise<void> {
  if (!isImpersonated(session.factors)) await requireComplete(at, session)
}

/**
 * Throws `insufficient_factors` if the account has an authenticator app and neither its code nor a recovery
 * code is in the session. A passkey is not enough, as the protocol requires. If everybody needs a second factor, an
 * account without an app needs a passkey in the session.
 */
export function requireApp(at: Policed, session: FactorsOf): Promise<void> {
  return requireFactor(at, session, APP_FACTORS)
}

/**
 * Throws `insufficient_factors` if a session without its second factor wants to set up an app for an account that has
 * a passkey: that is its second factor. An account without either sets the app up in such a session.
 */
export async function requireFirstFactor({ trx, secondFactor }: Policed, session: FactorsOf): Promise<void> {
  if (secondFactor === 'offered' || secondFactorsOf(session.factors).length > 0) return
  const passkey = await trx
    .selectFrom('webauthn_registration')
    .select('webauthn_registration_id')
    .where('user_id', '=', session.userId)
    .executeTakeFirst()
  if (passkey === undefined) return
  throw new IdentityError('insufficient_factors', {
    message: 'This account has a passkey. Please sign in with it.',
  })
}

async function requireFactor(
  { trx, secondFactor }: Policed,
  { userId, factors }: FactorsOf,
  types: ReadonlySet<string>,
): Promise<void> {
  refuseImpersonation({ factors })
  if (factors.some(({ type }) => types.has(type))) return
  const isMissing = secondFactor === 'required' && secondFactorsOf(factors).length === 0
  if (isMissing) throw new IdentityError('insufficient_factors')
  const app = await trx
    .selectFrom('totp')
    .select('totp_id')
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst()
  if (app !== undefined) throw new IdentityError('insufficient_factors')
}
