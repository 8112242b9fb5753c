import * as oauth from 'oauth4webapi'
import { isSecureAddress } from '../http/secure-address.ts'
import { createBoundedFetch } from '../oauth/bounded-fetch.ts'
import { OperatorError } from './operator-error.ts'

/** Addresses of an OpenID provider, as its discovery document lists them. */
export interface IssuerMetadata {
  readonly issuer: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly keysUrl: string
  /** Null if the ID token has all claims. */
  readonly profileUrl: string | null
  readonly clientAuth: 'form' | 'basic'
}

/**
 * Reads the discovery document of an issuer, within `timeoutMs` and 256 KiB. An operator runs it once: so an
 * organization cannot later send the service to an address that no operator has seen.
 *
 * @throws OperatorError
 */
export async function readIssuer(issuer: string, timeoutMs: number): Promise<IssuerMetadata> {
  if (!isSecureAddress(issuer)) throw new OperatorError('The issuer must be an https address.')
  const url = new URL(issuer)
  const fetchBounded = createBoundedFetch({ timeoutMs, totalMs: timeoutMs })
  const document = await oauth
    .discoveryRequest(url, {
      [oauth.customFetch]: fetchBounded as never,
      [oauth.allowInsecureRequests]: url.protocol === 'http:',
    })
    .then(response => oauth.processDiscoveryResponse(url, response))
    .catch((cause: unknown) => {
      throw new OperatorError(
        `${issuer} has no discovery document that names it: ${(cause as Error).message}`,
        {
          cause,
        },
      )
    })
  const address = (name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri' | 'userinfo_endpoint') => {
    const value = document[name]
    if (value !== undefined && isSecureAddress(value)) return value
    throw new OperatorError(`The discovery document of ${issuer} has no https address as ${name}.`)
  }
  const methods = document.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (!methods.some(method => method === 'client_secret_basic' || method === 'client_secret_post')) {
    throw new OperatorError(`${issuer} accepts no client secret.`)
  }
  return {
    issuer: document.issuer,
    authorizeUrl: address('authorization_endpoint'),
    tokenUrl: address('token_endpoint'),
    keysUrl: address('jwks_uri'),
    profileUrl: document.userinfo_endpoint === undefined ? null : address('userinfo_endpoint'),
    clientAuth: methods.includes('client_secret_basic') ? 'basic' : 'form',
  }
}
