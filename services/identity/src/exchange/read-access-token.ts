import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { Deps } from '../deps.ts'
import { type ErrorType, IdentityError } from '../errors.ts'

/** Seconds after its issue in which an access token can be exchanged, however long it lives. */
export const MAX_AGE_S = 300
/** Seconds by which the clocks of two processes may differ. */
const CLOCK_TOLERANCE_S = 5
/** The scope of apps that act as the person in everything. */
const FULL_ACCESS = 'full_access'

/** What an access token (RFC 9068) of a connected app says. */
export interface AccessToken {
  readonly userId: string
  readonly clientId: string
  /** A revocation names it, as it names a session. */
  readonly authorizationId: string
  readonly tokenId: string
  readonly issuer: string
  /** Moment after which the token cannot be exchanged anyway. */
  readonly expiresAt: Date
}

/**
 * Verifies an access token with this service's own keys: type, issuer, audience, scope and age. Throws
 * `oauth_access_token_exchange_*`. Whether it was revoked or used before is for the caller to check.
 */
export async function readAccessToken(
  { keys, settings, now }: Pick<Deps, 'keys' | 'settings' | 'now'>,
  token: string,
): Promise<AccessToken> {
  const issuer = settings.publicOrigin.origin
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [...(await keys.jwks())] }), {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer,
      audience: `${issuer}/api`,
      currentDate: now(),
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id', 'scope', 'authorization_id'],
    })
    const { sub = '', jti = '', iat = 0, client_id, scope, authorization_id } = payload
    if (!String(scope).split(' ').includes(FULL_ACCESS)) throw refusal('missing_full_access')
    const endsAtMs = (iat + MAX_AGE_S) * 1_000
    if (endsAtMs <= now().getTime()) throw refusal('token_too_old')
    return {
      userId: sub,
      clientId: String(client_id),
      authorizationId: String(authorization_id),
      tokenId: jti,
      issuer,
      expiresAt: new Date(endsAtMs),
    }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refusal('token_invalid_grant', error)
    throw error
  }
}

function refusal(why: 'missing_full_access' | 'token_too_old' | 'token_invalid_grant', cause?: unknown) {
  const type: ErrorType = `oauth_access_token_exchange_${why}`
  return new IdentityError(type, { cause })
}
