import { IdentityError } from '../errors.ts'

/** A domain that passkeys are bound to, and the pages that can use them. */
export interface RelyingParty {
  readonly id: string
  readonly origins: readonly string[]
}

/**
 * Reads the domain of a passkey: the host of an allowed page, or a parent domain of it. Throws
 * `invalid_webauthn_registration_domain` for any other.
 */
export function readRelyingParty(domain: string, allowedOrigins: readonly string[]): RelyingParty {
  const id = domain.toLowerCase()
  const origins = allowedOrigins.filter(origin => {
    const { hostname } = new URL(origin)
    return hostname === id || (id.includes('.') && hostname.endsWith(`.${id}`))
  })
  if (origins.length === 0) throw new IdentityError('invalid_webauthn_registration_domain')
  return { id, origins }
}
