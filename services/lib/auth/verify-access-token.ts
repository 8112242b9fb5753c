import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { apiAudience } from './app-scopes.ts'
import { remoteKeySet } from './remote-key-set.ts'
import { SessionTokenError } from './verify-session-token.ts'

/** Media type of an access token (RFC 9068). No session token and no ID token has it. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/** The claim with the id that a revocation names, as it names a session. */
export const AUTHORIZATION_CLAIM = 'authorization_id'

export interface AccessTokenClaims {
  readonly userId: string
  readonly clientId: string
  /** All tokens that came from one authorization code share it. */
  readonly authorizationId: string
  readonly scopes: readonly string[]
  /** Seconds since 1970. */
  readonly expiresAtS: number
}

export interface AccessTokenVerifierOptions {
  /** URL of the key set (`remote-key-set.ts`), or the keys themselves. */
  readonly jwks: URL | JWTVerifyGetKey
  /** Public origin of Lapwing, without a slash at its end. */
  readonly issuer: string
  readonly now?: () => Date
  /** Seconds by which the clocks of two machines may differ. */
  readonly clockToleranceS?: number
}

/**
 * Returns a function that verifies access tokens of connected apps: only RS256 and `at+jwt`, keys of the one key
 * set, issuer, audience and times. It throws `SessionTokenError` for a token to refuse, and `KeySetError` if the
 * key set cannot be loaded. Whether the person has revoked the app is for the caller to check.
 */
export function createAccessTokenVerifier(
  options: AccessTokenVerifierOptions,
): (token: string) => Promise<AccessTokenClaims> {
  const keys = options.jwks instanceof URL ? remoteKeySet(options.jwks) : options.jwks
  return async token => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        typ: ACCESS_TOKEN_TYPE,
        issuer: options.issuer,
        audience: apiAudience(options.issuer),
        currentDate: options.now?.() ?? new Date(),
        clockTolerance: options.clockToleranceS ?? 30,
        // Also refuses a token with an issue date in the future.
        maxTokenAge: OLDEST_S,
        requiredClaims: ['sub', 'iat', 'exp', 'client_id', 'scope', AUTHORIZATION_CLAIM],
      })
      const { sub, exp, client_id, scope, [AUTHORIZATION_CLAIM]: authorizationId } = payload
      if (typeof client_id !== 'string' || typeof scope !== 'string' || typeof authorizationId !== 'string') {
        throw new SessionTokenError('claims of another type')
      }
      return {
        userId: sub!,
        clientId: client_id,
        authorizationId,
        scopes: scope.split(' ').filter(name => name !== ''),
        expiresAtS: exp!,
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new SessionTokenError(error.code)
      throw error
    }
  }
}

/** Longer than identity lets any access token live. */
const OLDEST_S = 24 * 3600
