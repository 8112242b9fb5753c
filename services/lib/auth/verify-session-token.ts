import { createTokenVerifier, SessionTokenError, type TokenVerifierOptions } from './verify-token.ts'

/** The claim with the session; the provider's own name for it. */
export const SESSION_CLAIM = 'https://stytch.com/session'

export interface SessionClaims {
  readonly userId: string
  readonly sessionId: string
  readonly roles: readonly string[]
  /** Whether an operator acts for the person. */
  readonly isImpersonated: boolean
  /** Seconds since 1970. */
  readonly issuedAtS: number
  readonly expiresAtS: number
}

export interface SessionVerifierOptions extends TokenVerifierOptions {
  readonly audience: string
}

/** Returns a function that verifies session tokens; see `createTokenVerifier`. */
export function createSessionVerifier(
  options: SessionVerifierOptions,
): (token: string) => Promise<SessionClaims> {
  const kind = {
    audience: options.audience,
    requiredClaims: ['sub', 'iat', 'exp', SESSION_CLAIM],
    oldestS: OLDEST_S,
  }
  return createTokenVerifier(options, kind, payload => {
    const session = payload[SESSION_CLAIM] as SessionClaim | null
    if (typeof session?.id !== 'string' || session.id.length < 10) throw new SessionTokenError('no session')
    return {
      userId: payload.sub!,
      sessionId: session.id,
      roles: Array.isArray(session.roles) ? session.roles.filter(role => typeof role === 'string') : [],
      isImpersonated: isImpersonated(session.authentication_factors),
      issuedAtS: payload.iat!,
      expiresAtS: payload.exp!,
    }
  })
}

interface SessionClaim {
  readonly id?: unknown
  readonly roles?: unknown
  readonly authentication_factors?: unknown
}

function isImpersonated(factors: unknown): boolean {
  return Array.isArray(factors) && factors.some(factor => factor?.type === 'impersonated')
}

/** A week, the longest life of a session token that identity can be set to. */
const OLDEST_S = 7 * 24 * 3600
