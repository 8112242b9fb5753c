import { randomBytes } from 'node:crypto'
import { addHealth, createApp } from '@lapwing/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import * as openid from 'openid-client'
import type { Logger } from 'pino'
import { createLapwing, type Lapwing, type Tokens } from './lapwing.ts'
import { connectedPage, messagePage, startPage } from './pages.ts'

export interface DemoAppOptions {
  /** Address at which a browser reaches this app. */
  readonly appUrl: URL
  /** Public origin of Lapwing. */
  readonly lapwingUrl: URL
  readonly clientId: string
  readonly logger: Logger
}

/** What the app remembers about one browser, in memory only. */
interface Visit {
  /** The request that a browser is away for. */
  readonly pending?: { readonly verifier: string; readonly state: string; readonly nonce: string }
  readonly tokens?: Tokens
}

/** Builds the demo app: an example of an app of another company, which a person connects to Lapwing. */
export function buildDemoApp({ appUrl, lapwingUrl, clientId, logger }: DemoAppOptions): FastifyInstance {
  const redirectUri = new URL('/callback', appUrl).href
  const lapwing: Lapwing = createLapwing({ lapwingUrl, clientId })
  const visits = new LRUCache<string, Visit>({ max: 100 })
  const app = createApp({
    service: 'demo',
    errors: {},
    logger,
    headers: { 'referrer-policy': 'no-referrer' },
  })
  addHealth(app, {})
  // The one form has no fields.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, done) => done(null, {}),
  )

  app.get('/', async (request, reply) => {
    const id = visitId(request)
    const tokens = id && visits.get(id)?.tokens
    if (!id || !tokens) return sendPage(reply, startPage())
    const read = await lapwing.read(tokens)
    if (read === null) {
      visits.delete(id)
      return sendPage(reply, messagePage('Lapwing ended the access of this app.'))
    }
    visits.set(id, { tokens: read.tokens })
    return sendPage(reply, connectedPage(read.facts))
  })

  app.get('/connect', async (_request, reply) => {
    const verifier = openid.randomPKCECodeVerifier()
    const pending = { verifier, state: openid.randomState(), nonce: openid.randomNonce() }
    const id = randomBytes(24).toString('base64url')
    visits.set(id, { pending })
    const address = await lapwing.authorizationUrl({ ...pending, redirectUri })
    return reply
      .header('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`)
      .redirect(address.href, 303)
  })

  app.get('/callback', async (request, reply) => {
    const id = visitId(request)
    const pending = id && visits.get(id)?.pending
    if (!id || !pending) return sendPage(reply, messagePage('This browser has not asked to be connected.'))
    visits.delete(id)
    try {
      visits.set(id, { tokens: await lapwing.exchange(new URL(request.url, appUrl), pending) })
    } catch (error) {
      if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied') {
        return sendPage(reply, messagePage('You did not connect the app.'))
      }
      request.log.warn({ err: error }, 'the app could not be connected')
      return sendPage(reply, messagePage('The app could not be connected.'))
    }
    return reply.redirect('/', 303)
  })

  app.post('/disconnect', async (request, reply) => {
    const id = visitId(request)
    const tokens = id && visits.get(id)?.tokens
    if (id && tokens) {
      visits.delete(id)
      await lapwing.revoke(tokens)
    }
    return reply.redirect('/', 303)
  })
  return app
}

const COOKIE = 'demo-app-visit'

function visitId({ headers }: FastifyRequest): string | null {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)
}
