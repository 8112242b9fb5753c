import { errors, jwtVerify, SignJWT } from 'jose'

/**
 * The header in which the gateway passes the principal to a service. The gateway removes it from clients'
 * requests.
 */
export const IDENTITY_HEADER = 'x-lapwing-identity'

/** A signed-in account, from a session or an access token that the gateway verified and that is not revoked. */
export interface Principal {
  readonly userId: string
  /** For a connected app, the id of its authorization. */
  readonly sessionId: string
  readonly roles: readonly string[]
  /** What the person has granted to the connected app that calls for them. Left out for the person's own session. */
  readonly scopes?: readonly string[]
}

const ALGORITHM = 'HS256'
const ISSUER = 'lapwing-gateway'
/** Long enough for a request that waits in a service's queue, too short to be worth stealing. */
const LIFETIME_S = 90

/**
 * Returns a function that signs principals for the services behind the gateway. A request that reaches a
 * service without the gateway has no valid signature.
 *
 * @param key shared secret of at least 32 bytes
 */
export function createPrincipalSigner(key: Uint8Array, now: () => Date = () => new Date()) {
  requireLongKey(key)
  return (principal: Principal): Promise<string> => {
    const issuedAt = Math.floor(now().getTime() / 1000)
    return new SignJWT({ sid: principal.sessionId, roles: principal.roles, scopes: principal.scopes })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setSubject(principal.userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .sign(key)
  }
}

/** Returns a function that reads a token of `createPrincipalSigner`. It returns null for any other token. */
export function createPrincipalVerifier(key: Uint8Array, now: () => Date = () => new Date()) {
  requireLongKey(key)
  return async (token: string): Promise<Principal | null> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        currentDate: now(),
        clockTolerance: 5,
        requiredClaims: ['sub', 'exp', 'sid'],
      })
      return {
        userId: payload.sub!,
        sessionId: String(payload.sid),
        roles: textsOf(payload.roles),
        ...(payload.scopes !== undefined && { scopes: textsOf(payload.scopes) }),
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}

function textsOf(claim: unknown): readonly string[] {
  return Array.isArray(claim) ? claim.filter(item => typeof item === 'string') : []
}

function requireLongKey(key: Uint8Array): void {
  if (key.byteLength < 32) throw new Error('the key for internal identity must have at least 32 bytes')
}
