import { randomUUID } from 'node:crypto'
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  AUTHORIZATION_CLAIM,
  apiAudience,
  createAccessTokenVerifier,
} from '@lapwing/auth'
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { Deps } from '../deps.ts'
import { ACCESS_S, type Authorization } from './authorization.repository.ts'

type SigningDeps = Pick<Deps, 'keys' | 'settings' | 'now'>

/** Returns the issuer of all tokens for apps: Lapwing's public origin. */
export function issuerOf({ settings }: Pick<Deps, 'settings'>): string {
  return settings.publicOrigin.origin
}

/** Signs an access token (RFC 9068). It holds ids and scopes, and nothing personal. */
export function signAccessToken(
  deps: SigningDeps,
  { authorizationId, userId, clientId }: Authorization,
  scopes: readonly string[],
): Promise<string> {
  const issuedAt = Math.floor(deps.now().getTime() / 1000)
  const claims = {
    iss: issuerOf(deps),
    aud: apiAudience(issuerOf(deps)),
    sub: userId,
    client_id: clientId,
    scope: scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + ACCESS_S,
    jti: randomUUID(),
    [AUTHORIZATION_CLAIM]: authorizationId,
  }
  return deps.keys.sign(claims, ACCESS_TOKEN_TYPE)
}

/** Signs an ID token for the app. Claims about the person are at the userinfo endpoint. */
export function signIdToken(
  deps: SigningDeps,
  { userId, clientId, nonce, signedInAt }: Authorization,
): Promise<string> {
  const issuedAt = Math.floor(deps.now().getTime() / 1000)
  return deps.keys.sign({
    iss: issuerOf(deps),
    aud: clientId,
    sub: userId,
    iat: issuedAt,
    exp: issuedAt + ACCESS_S,
    auth_time: Math.floor(signedInAt.getTime() / 1000),
    ...(nonce !== null && { nonce }),
  })
}

/** Verifies an access token with this service's own keys. Throws `SessionTokenError`. */
export async function verifyAccessToken(deps: SigningDeps, token: string): Promise<AccessTokenClaims> {
  const verify = createAccessTokenVerifier({
    jwks: await ownKeys(deps),
    issuer: issuerOf(deps),
    now: deps.now,
  })
  return verify(token)
}

/**
 * Returns the person and the app of an ID token, which may have expired: an app shows it to sign a person out. Returns
 * null for any other token.
 */
export async function readIdToken(
  deps: SigningDeps,
  token: string,
): Promise<{ readonly userId: string; readonly clientId: string } | null> {
  try {
    const { payload } = await jwtVerify(token, await ownKeys(deps), {
      algorithms: ['RS256'],
      typ: 'JWT',
      issuer: issuerOf(deps),
      requiredClaims: ['sub', 'aud', 'iat', 'exp'],
      currentDate: deps.now(),
      clockTolerance: MAX_HINT_AGE_S,
    })
    return typeof payload.aud === 'string' ? { userId: payload.sub!, clientId: payload.aud } : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** A month: an app can store its ID token for as long as a person stays signed in there. */
const MAX_HINT_AGE_S = 30 * 24 * 3600

async function ownKeys({ keys }: Pick<Deps, 'keys'>) {
  return createLocalJWKSet({ keys: [...(await keys.jwks())] })
}
