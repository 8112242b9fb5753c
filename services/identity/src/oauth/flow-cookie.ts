import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cipher } from '../crypto/cipher.ts'
import { hashSecret } from '../crypto/secrets.ts'
import type { ProviderName } from './providers.ts'

/** Names a cookie: a provider, or a connection of an organization. */
export type FlowName = ProviderName | `sso-${string}`

/** A round trip to a provider that began in this browser. */
export interface Flow {
  /** Random value that the provider returns. */
  readonly state: string
  /** Verifier of PKCE towards the provider. */
  readonly codeVerifier: string
  /** Random value that the ID token must contain. */
  readonly nonce: string
  readonly loginRedirect: string
  readonly signupRedirect: string
  /** The page's code challenge, checked when the page exchanges the token. */
  readonly codeChallenge: string
  /** Set if the provider's account is added to an account. */
  readonly attachment?: Attachment | undefined
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

/** The account that a provider's account is added to, and the session of the request, in which alone it counts. */
export interface Attachment {
  readonly userId: string
  readonly sessionId: string
}

const LIFETIME_MS = 10 * 60_000

/**
 * Stores the flow as a sealed cookie in the browser that began it. So the service stores nothing for a
 * person who never returns, and a link to the callback fails in another browser. Each name has one
 * cookie, so that a second try replaces the first.
 */
export function createFlowCookies(options: {
  readonly cipher: Cipher
  /** Origin of the callback. */
  readonly callbackOrigin: string
  readonly now: () => Date
}) {
  const { cipher, now } = options
  const secure = options.callbackOrigin.startsWith('https:')
  // The prefix stops other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2).
  const nameOf = (name: FlowName) => `${secure ? '__Host-' : ''}lapwing-oauth-${name}`
  const labelOf = (name: FlowName) => `oauth flow ${name}`
  // Lax: the provider's page returns by a top-level navigation, which sends the cookie.
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const
  return {
    set(reply: FastifyReply, name: FlowName, flow: Omit<Flow, 'endsAt'>): void {
      const whole: Flow = { ...flow, endsAt: now().getTime() + LIFETIME_MS }
      const sealed = cipher.seal(JSON.stringify(whole), labelOf(name)).toString('base64url')
      reply.setCookie(nameOf(name), sealed, { ...attributes, maxAge: LIFETIME_MS / 1000 })
    },
    /** Returns the flow of this state; null if it did not begin in this browser within ten minutes. */
    read(request: FastifyRequest, name: FlowName, state: string | undefined): Flow | null {
      const sealed = request.cookies[nameOf(name)]
      if (sealed === undefined || state === undefined) return null
      const flow = open(sealed, labelOf(name))
      if (flow === null || now().getTime() >= flow.endsAt) return null
      return timingSafeEqual(hashSecret(flow.state), hashSecret(state)) ? flow : null
    },
    clear(reply: FastifyReply, name: FlowName): void {
      reply.clearCookie(nameOf(name), attributes)
    },
  }

  function open(sealed: string, label: string): Flow | null {
    try {
      return JSON.parse(cipher.open(Buffer.from(sealed, 'base64url'), label)) as Flow
    } catch {
      // Cut, changed, or sealed with an old key.
      return null
    }
  }
}

export type FlowCookies = ReturnType<typeof createFlowCookies>
