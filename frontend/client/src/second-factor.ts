import type { Authenticated } from './contract.ts'
import { isHalfToken } from './session-token.ts'

/** Types of factors that complete the session of an account with an authenticator app; `impersonated` is an operator's. */
const COMPLETING: ReadonlySet<string> = new Set(['totp', 'recovery_codes', 'webauthn', 'impersonated'])

type LateAnswer = Pick<Authenticated, 'user' | 'session'> & Partial<Pick<Authenticated, 'session_jwt'>>

/** Returns whether the account has an authenticator app. */
export function hasApp({ user }: Pick<Authenticated, 'user'>): boolean {
  return user?.totps?.some(({ verified }) => verified) ?? false
}

/** Returns whether the account has a passkey: one of the domain, or of any if it is left out. */
export function hasPasskey({ user }: Pick<Authenticated, 'user'>, domain?: string): boolean {
  return user.webauthn_registrations.some(
    passkey => passkey.verified && (domain === undefined || passkey.domain === domain),
  )
}

/**
 * Returns whether a session still lacks the second factor of its account. No service of Lapwing accepts it
 * until then.
 */
export function lacksSecondFactor(answer: LateAnswer): boolean {
  const { session, session_jwt } = answer
  if (isHalfToken(session_jwt ?? '')) return true
  return hasApp(answer) && !session?.authentication_factors?.some(({ type }) => COMPLETING.has(type))
}
