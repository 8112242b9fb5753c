import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { remoteKeySet } from './remote-key-set.ts'

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

/**
 * Reports a token that is not ours or not valid any more. `reason` is for logs and holds no part of the
 * token.
 */
export class SessionTokenError extends Error {
  readonly reason: string

  constructor(reason: string) {
    super('the session token was refused')
    this.name = 'SessionTokenError'
    this.reason = reason
  }
}

export interface SessionVerifierOptions {
  /** URL of the key set (`remote-key-set.ts`), or the keys themselves. */
  readonly jwks: URL | JWTVerifyGetKey
  readonly issuer: string
  readonly audience: string
  readonly now?: () => Date
  /** Seconds by which the clocks of two machines may differ. */
  readonly clockToleranceS?: number
}

/**
 * Returns a function that verifies session tokens: only RS256, keys of the one key set, issuer, audience and
 * times. It throws `SessionTokenError` for a token to refuse, and `KeySetError` if the key set cannot be
 * loaded.
 */
export function createSessionVerifier(
  options: SessionVerifierOptions,
): (token: string) => Promise<SessionClaims> {
  const keys = options.jwks instanceof URL ? remoteKeySet(options.jwks) : options.jwks
  return async token => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: options.issuer,
        audience: options.audience,
        currentDate: options.now?.() ?? new Date(),
        clockTolerance: options.clockToleranceS ?? 30,
        // Also refuses a token with an issue date in the future.
        maxTokenAge: OLDEST_S,
        requiredClaims: ['sub', 'iat', 'exp', SESSION_CLAIM],
      })
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
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new SessionTokenError(error.code)
      throw error
    }
  }
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
