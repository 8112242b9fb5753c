import { errors, jwtVerify, SignJWT } from 'jose'

/**
 * The header in which the gateway passes the principal to a service. The gateway removes it from clients'
 * requests.
 */
export const IDENTITY_HEADER = 'x-lapwing-identity'

/** A signed-in account, from a session that the gateway verified and that is not revoked. */
export interface Principal {
  readonly userId: string
  readonly sessionId: string
  readonly roles: readonly string[]
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
    return new SignJWT({ sid: principal.sessionId, roles: principal.roles })
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
      const roles = Array.isArray(payload.roles) ? payload.roles.filter(role => typeof role === 'string') : []
      return { userId: payload.sub!, sessionId: String(payload.sid), roles }
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}

function requireLongKey(key: Uint8Array): void {
  if (key.byteLength < 32) throw new Error('the key for internal identity must have at least 32 bytes')
}
