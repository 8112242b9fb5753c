import { KeySetError, remoteKeySet } from '@lapwing/auth'
import { decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { IdentityError } from '../errors.ts'
import { createBoundedFetch } from '../oauth/bounded-fetch.ts'
import { type Profile, readProfile } from '../oauth/read-profile.ts'
import type { TrustedProfile } from './trusted-profile.repository.ts'

/** Asymmetric algorithms only: no issuer shares a secret with Lapwing. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Seconds by which the clocks of issuer and service may differ. */
const CLOCK_TOLERANCE_S = 30
/** Seconds after which a token is refused, whatever end it states. Ids of used tokens are stored as long. */
const MAX_AGE_S = 3_600
const MAX_ID_LENGTH = 255

/** What a trusted issuer says about a person. */
export interface Attestation {
  readonly profile: Profile
  /** The token's own id, with which it works once. */
  readonly tokenId: string
  /** Moment after which the token is refused anyway. */
  readonly expiresAt: Date
}

/**
 * Verifies a token of a trusted issuer: signature, issuer, audience and times. Throws
 * `invalid_trusted_auth_token`, or `service_unavailable` if the issuer's keys cannot be loaded.
 */
export type VerifyAttestation = (trusted: TrustedProfile, token: string) => Promise<Attestation>

export function createVerifyAttestation(options: {
  readonly timeoutMs: number
  readonly now: () => Date
}): VerifyAttestation {
  const { timeoutMs, now } = options
  /** Loaded key sets by their address. */
  const keySets = new Map<string, JWTVerifyGetKey>()
  const fetchKeys = ((address: URL | string, init?: RequestInit) =>
    createBoundedFetch({ timeoutMs, totalMs: timeoutMs })(String(address), init)) as typeof fetch

  return async ({ issuer, audience, keysUrl }, token) => {
    const keys = keySets.get(keysUrl) ?? remoteKeySet(new URL(keysUrl), fetchKeys)
    keySets.set(keysUrl, keys)
    try {
      // A key set can have several keys, so a token must name its own.
      if (typeof decodeProtectedHeader(token).kid !== 'string') throw invalidToken()
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        currentDate: now(),
        clockTolerance: CLOCK_TOLERANCE_S,
        // Also refuses a token with an issue date in the future.
        maxTokenAge: MAX_AGE_S,
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
      })
      return readAttestation(payload)
    } catch (cause) {
      if (cause instanceof KeySetError)
        throw new IdentityError('service_unavailable', { retryAfterS: 30, cause })
      throw invalidToken(cause)
    }
  }
}

function readAttestation(payload: JWTPayload): Attestation {
  const { aud, jti, exp = 0, iat = 0 } = payload
  // The other recipients of a token for several could use it here.
  if (Array.isArray(aud) && aud.length !== 1) throw invalidToken()
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH) throw invalidToken()
  const profile = readProfile(
    {
      claims: {
        subject: 'sub',
        email: 'email',
        verified: 'email_verified',
        picture: 'picture',
        locale: 'locale',
      },
    },
    payload,
  )
  if (profile.subject.includes('\0')) throw invalidToken()
  const endS = Math.min(exp, iat + MAX_AGE_S) + CLOCK_TOLERANCE_S
  return { profile, tokenId: jti, expiresAt: new Date(endS * 1_000) }
}

function invalidToken(cause?: unknown): IdentityError {
  return cause instanceof IdentityError ? cause : new IdentityError('invalid_trusted_auth_token', { cause })
}
