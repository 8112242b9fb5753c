import { errors, jwtVerify, SignJWT } from 'jose'

const ISSUER = 'lapwing-events'

/**
 * Returns a function that signs the digest of an event's bytes. So only Lapwing's own services can send
 * events.
 */
export function createEventSigner(key: Uint8Array) {
  return (digest: string): Promise<string> =>
    new SignJWT({ digest })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(key)
}

export function createEventVerifier(key: Uint8Array) {
  return async (token: string, digest: string): Promise<boolean> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        clockTolerance: 5,
        requiredClaims: ['exp', 'digest'],
      })
      return payload.digest === digest
    } catch (error) {
      if (error instanceof errors.JOSEError) return false
      throw error
    }
  }
}
