import type { FastifyRequest } from 'fastify'
import { IdentityError } from '../errors.ts'
import { readBrowser } from './browser-cookie.ts'

/** Who sends a request, as far as it says. */
export interface Client {
  /** Null where nobody is signed in. Not yet looked up. */
  readonly sessionToken: string | null
  /** The secret by which an account knows this browser; null for a browser that has none. */
  readonly browser: string | null
  readonly ipAddress: string
  readonly userAgent: string
}

export type ReadClient = (request: FastifyRequest) => Client

export const SESSION_COOKIE = 'stytch_session'
export const JWT_COOKIE = 'stytch_session_jwt'

/**
 * Reads `Authorization: Basic <public token>:<session token>`. The public token in the second place
 * means that no session is known to the page; where cookies carry it, it is looked for there.
 */
export function createReadClient(options: {
  publicToken: string
  cookies: 'client' | 'http-only'
  oauth: { readonly callbackOrigin: string }
}): ReadClient {
  return request => {
    const encoded = /^Basic ([A-Za-z0-9+/_-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (encoded === undefined || encoded.length > 2_048) throw new IdentityError('unauthorized_credentials')
    const [publicToken, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
    if (publicToken !== options.publicToken) throw new IdentityError('invalid_public_token')
    const secret = rest.join(':')
    const fromCookie = options.cookies === 'http-only' ? (request.cookies[SESSION_COOKIE] ?? null) : null
    return {
      sessionToken: secret === '' || secret === publicToken ? fromCookie : secret,
      browser: readBrowser(request, options.oauth),
      ipAddress: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 512),
    }
  }
}
