import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import { createJsonParser } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { takeProviderForms } from '../oauth/provider-forms.ts'

export function addPlugins(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): void {
  app.register(cookie)
  admitPages(app, settings.allowedOrigins)
  takeEmptyBodies(app)
  takeProviderForms(app)
}

/**
 * Pages of the listed origins may call, with cookies; the answers to a page say so, errors too.
 * Another page's request is refused before it has any effect.
 */
function admitPages(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  app.register(cors, {
    origin: [...allowedOrigins],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'x-sdk-client', 'x-sdk-parent-host'],
    exposedHeaders: ['retry-after', 'x-request-id'],
    maxAge: 600,
    strictPreflight: false,
  })
  app.addHook('onRequest', async request => {
    const { origin } = request.headers
    // By the route that was found, since one address can be spelt in many ways.
    const isCall = request.routeOptions.url?.startsWith('/sdk/') ?? false
    if (!isCall || origin === undefined || request.method === 'OPTIONS') return
    if (!allowedOrigins.includes(origin)) throw new IdentityError('origin_not_allowed')
  })
}

/** The protocol's client names JSON as the type of bodies that are not there. */
function takeEmptyBodies(app: FastifyInstance): void {
  const parse = createJsonParser(app, 'identity')
  // No other type is read, so that none gets around what is checked of JSON.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {})
    else parse(request, body as string, done)
  })
  app.addHook('preValidation', async request => {
    if (request.body === undefined) request.body = {}
  })
}
