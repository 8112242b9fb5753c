import { type AccessTokenClaims, SessionTokenError } from '@lapwing/auth'
import { issuerOf, verifyAccessToken } from '../connected-apps/app-tokens.ts'
import { FULL_ACCESS } from '../connected-apps/scopes.ts'
import type { Deps } from '../deps.ts'
import { type ErrorType, IdentityError } from '../errors.ts'

/** Seconds after its issue in which an access token can be exchanged, however long it lives. */
export const MAX_AGE_S = 300

export interface ExchangedToken
  extends Pick<AccessTokenClaims, 'userId' | 'clientId' | 'authorizationId' | 'tokenId'> {
  readonly issuer: string
  /** Moment after which the token cannot be exchanged anyway. */
  readonly expiresAt: Date
}

/**
 * Verifies an access token of a connected app, its scope and its age. Throws `oauth_access_token_exchange_*`. Whether
 * it was revoked or used before is for the caller to check.
 */
export async function readAccessToken(
  deps: Pick<Deps, 'keys' | 'settings' | 'now'>,
  token: string,
): Promise<ExchangedToken> {
  const { scopes, issuedAtS, ...claims } = await verifyAccessToken(deps, token).catch(error => {
    if (error instanceof SessionTokenError) throw refusal('token_invalid_grant', error)
    throw error
  })
  if (!scopes.includes(FULL_ACCESS)) throw refusal('missing_full_access')
  const expiresAt = new Date((issuedAtS + MAX_AGE_S) * 1_000)
  if (expiresAt <= deps.now()) throw refusal('token_too_old')
  return { ...claims, issuer: issuerOf(deps), expiresAt }
}

function refusal(why: 'missing_full_access' | 'token_too_old' | 'token_invalid_grant', cause?: unknown) {
  const type: ErrorType = `oauth_access_token_exchange_${why}`
  return new IdentityError(type, { cause })
}
