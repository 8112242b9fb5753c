import type { Authenticated } from './identity-client.ts'

/** Types of factors that complete the session of an account with an authenticator app; `impersonated` is an operator's. */
const COMPLETING: ReadonlySet<string> = new Set(['totp', 'recovery_codes', 'webauthn', 'impersonated'])

/**
 * Returns whether a session still lacks the second factor of its account. No service of Lapwing accepts it
 * until then.
 */
export function lacksSecondFactor({ user, session }: Pick<Authenticated, 'user' | 'session'>): boolean {
  const hasApp = user?.totps?.some(({ verified }) => verified) ?? false
  return hasApp && !session?.authentication_factors?.some(({ type }) => COMPLETING.has(type))
}
