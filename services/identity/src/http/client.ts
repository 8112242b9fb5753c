import type { FastifyRequest } from 'fastify'
import { IdentityError } from '../errors.ts'
import { readBrowser } from './browser-cookie.ts'

/** The client of a request, from its headers and address. */
export interface Client {
  /** Null without a session. The database has not checked it yet. */
  readonly sessionToken: string | null
  /** Secret of the browser's cookie; null without one. */
  readonly browser: string | null
  readonly ipAddress: string
  readonly userAgent: string
}

export type ReadClient = (request: FastifyRequest) => Client

export const SESSION_COOKIE = 'stytch_session'
export const JWT_COOKIE = 'stytch_session_jwt'

/**
 * Creates a reader of `Authorization: Basic <public token>:<session token>`. A page without a session
 * sends the public token in both places; the session token is then read from the http-only cookie, if
 * configured. The reader throws `unauthorized_credentials` or `invalid_public_token`.
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
