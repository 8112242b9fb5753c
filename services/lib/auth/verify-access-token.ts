import { apiAudience } from './app-scopes.ts'
import { createTokenVerifier, SessionTokenError, type TokenVerifierOptions } from './verify-token.ts'

/** Media type of an access token (RFC 9068). No session token and no ID token has it. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/** The claim with the id that a revocation names, as it names a session. */
export const AUTHORIZATION_CLAIM = 'authorization_id'

export interface AccessTokenClaims {
  readonly userId: string
  readonly clientId: string
  /** All tokens that came from one authorization code share it. */
  readonly authorizationId: string
  readonly tokenId: string
  readonly scopes: readonly string[]
  /** Seconds since 1970. */
  readonly issuedAtS: number
  readonly expiresAtS: number
}

/**
 * Returns a function that verifies access tokens of connected apps for Lapwing's API; see `createTokenVerifier`.
 * Only their media type is accepted. Whether the person has revoked the app is for the caller to check.
 *
 * @param options `issuer` is the public origin of Lapwing, without a slash at its end
 */
export function createAccessTokenVerifier(
  options: TokenVerifierOptions,
): (token: string) => Promise<AccessTokenClaims> {
  const kind = {
    typ: ACCESS_TOKEN_TYPE,
    audience: apiAudience(options.issuer),
    requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id', 'scope', AUTHORIZATION_CLAIM],
    oldestS: OLDEST_S,
  }
  return createTokenVerifier(options, kind, payload => {
    const { sub, iat, exp, jti, client_id, scope, [AUTHORIZATION_CLAIM]: authorizationId } = payload
    if (typeof client_id !== 'string' || typeof scope !== 'string' || typeof authorizationId !== 'string') {
      throw new SessionTokenError('claims of another type')
    }
    return {
      userId: sub!,
      clientId: client_id,
      authorizationId,
      tokenId: jti!,
      scopes: scope.split(' ').filter(name => name !== ''),
      issuedAtS: iat!,
      expiresAtS: exp!,
    }
  })
}

/** Longer than identity lets any access token live. */
const OLDEST_S = 24 * 3600
