import { BROWSER_COOKIE, BROWSER_SECRET } from '@lapwing/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newSecret } from '../crypto/secrets.ts'

/** Seconds; browsers store no cookie for longer (RFC 6265bis). */
const LIFETIME_S = 400 * 24 * 3_600

interface Site {
  /** Public origin of this service. */
  readonly callbackOrigin: string
}

/**
 * Returns the cookie that identifies a browser which signed in before. It holds a random secret and
 * nothing about an account. It outlives the session and opens nothing. It only gives the browser
 * tries of its own, so that strangers cannot use them up.
 */
function cookieOf({ callbackOrigin }: Site) {
  const secure = callbackOrigin.startsWith('https:')
  return {
    // The prefix stops other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2).
    name: `${secure ? '__Host-' : ''}${BROWSER_COOKIE}`,
    attributes: { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: LIFETIME_S },
  } as const
}

/** Returns the browser's secret; null without one and for a value that this service cannot have set. */
export function readBrowser(request: FastifyRequest, site: Site): string | null {
  const value = request.cookies[cookieOf(site).name]
  return value !== undefined && BROWSER_SECRET.test(value) ? value : null
}

/** Sets a new secret, or renews the cookie of the known one. Returns the secret. */
export function setBrowserCookie(reply: FastifyReply, site: Site, known: string | null): string {
  const { name, attributes } = cookieOf(site)
  const secret = known ?? newSecret()
  reply.setCookie(name, secret, attributes)
  return secret
}
