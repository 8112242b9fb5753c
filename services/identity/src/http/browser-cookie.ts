import type { FastifyReply, FastifyRequest } from 'fastify'
import { newSecret } from '../crypto/secrets.ts'

/** Seconds for which browsers keep a cookie at most (RFC 6265bis). */
const LIFETIME_S = 400 * 24 * 3_600

interface Site {
  /** Public address of this service. */
  readonly callbackOrigin: string
}

/**
 * The cookie by which accounts know a browser that signed in before. It holds a random secret and
 * nothing of any account. It outlives the session and opens nothing: it only lets the browser try a
 * password that strangers can no longer try.
 */
function cookieOf({ callbackOrigin }: Site) {
  const secure = callbackOrigin.startsWith('https:')
  return {
    // With the prefix no other host of the domain can plant one (RFC 6265bis, 4.1.3.2).
    name: `${secure ? '__Host-' : ''}lapwing-browser`,
    attributes: { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: LIFETIME_S },
  } as const
}

/** The secret that the browser shows; null for none and for what this service never set. */
export function readBrowser(request: FastifyRequest, site: Site): string | null {
  const value = request.cookies[cookieOf(site).name]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null
}

/** Gives the browser a secret, or a longer life to the one it has. */
export function keepBrowser(reply: FastifyReply, site: Site, known: string | null): string {
  const { name, attributes } = cookieOf(site)
  const secret = known ?? newSecret()
  reply.setCookie(name, secret, attributes)
  return secret
}
