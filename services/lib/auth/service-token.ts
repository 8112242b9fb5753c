import { errors, jwtVerify, SignJWT } from 'jose'

const ALGORITHM = 'HS256'
const ISSUER = 'lapwing-services'

/**
 * Returns a function that signs bearer tokens for `/internal/` routes. A token is valid for a minute and for
 * one service.
 *
 * @param key the shared `INTERNAL_KEY`
 * @param audience name of the called service
 */
export function createServiceTokenSigner(
  key: Uint8Array,
  audience: string,
  now: () => Date = () => new Date(),
) {
  return (): Promise<string> => {
    const issuedAt = Math.floor(now().getTime() / 1000)
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 60)
      .sign(key)
  }
}

/**
 * Returns a function that checks an `Authorization` header. It returns true if `createServiceTokenSigner`
 * signed its token for this service.
 */
export function createServiceTokenVerifier(
  key: Uint8Array,
  audience: string,
  now: () => Date = () => new Date(),
) {
  return async (authorization: string | undefined): Promise<boolean> => {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    if (token === undefined) return false
    try {
      await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience,
        currentDate: now(),
        clockTolerance: 5,
        requiredClaims: ['exp'],
      })
      return true
    } catch (error) {
      if (error instanceof errors.JOSEError) return false
      throw error
    }
  }
}
