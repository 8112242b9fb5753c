import { errors, jwtVerify, SignJWT } from 'jose'

const ALGORITHM = 'HS256'
const ISSUER = 'lapwing-services'

/**
 * Signs what one Lapwing process shows another on an `/internal/` address, as a bearer token: good
 * for a minute and for that one service.
 *
 * @param key the `INTERNAL_KEY` both share
 * @param audience name of the service that is called
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

/** Whether an `Authorization` header holds what `createServiceTokenSigner` signs for this service. */
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
