import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import { createJsonParser } from '@lapwing/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOAuth2Address } from '../connected-apps/oauth2-error.ts'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { acceptProviderForms } from '../oauth/provider-forms.ts'

/** Adds cookies, CORS and the parsers of bodies. */
export function addPlugins(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): void {
  app.register(cookie)
  allowOrigins(app, settings.allowedOrigins)
  acceptEmptyBodies(app)
  acceptProviderForms(app)
}

/**
 * Allows pages of the listed origins to call with cookies, and apps of every origin without. Errors have the CORS headers too. Rejects a call
 * from another origin before it has any effect.
 */
function allowOrigins(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  const headers = {
    exposedHeaders: ['retry-after', 'x-request-id', 'www-authenticate'],
    maxAge: 600,
    strictPreflight: false,
  }
  const ofPages = {
    ...headers,
    origin: [...allowedOrigins],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'x-sdk-client', 'x-sdk-parent-host'],
  }
  // Apps in browsers call from their own origins. These calls read no cookie, so no origin needs a list.
  const ofApps = {
    ...headers,
    origin: '*',
    methods: ['GET', 'POST'],
    allowedHeaders: ['authorization', 'content-type'],
  }
  app.register(cors, () => (request: FastifyRequest, done: (error: null, options: object) => void) => {
    done(null, isOfApps(request.url) ? ofApps : ofPages)
  })
  app.addHook('onRequest', async request => {
    const { origin } = request.headers
    // Compare the route, not the URL: one route has many spellings.
    const isCall = request.routeOptions.url?.startsWith('/sdk/') ?? false
    if (!isCall || origin === undefined || request.method === 'OPTIONS') return
    if (!allowedOrigins.includes(origin)) throw new IdentityError('origin_not_allowed')
  })
}

function isOfApps(url: string): boolean {
  return isOAuth2Address(url) || url.startsWith('/.well-known/')
}

/** Accepts an empty body as `{}`. The protocol's client sends none, but names JSON as its type. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = createJsonParser(app, 'identity')
  // Accepts no other type, because the checks are for JSON.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {})
    else parse(request, body as string, done)
  })
  app.addHook('preValidation', async request => {
    if (request.body === undefined) request.body = {}
  })
}
