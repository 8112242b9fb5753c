import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import { bindContract, type Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { answerUnavailable } from '@lapwing/db'
import { receiveEvents } from '@lapwing/events'
import { addHealth, allowOnly, createApp, createJsonParser, keepNoAnswer } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { authenticateCode } from './codes/authenticate-code.ts'
import { sendCodes } from './codes/send-code.ts'
import type { Deps } from './deps.ts'
import { errors, IdentityError } from './errors.ts'
import { eventHandlers } from './internal/event-handlers.ts'
import { addPeople } from './internal/people.ts'
import { addSessionState } from './internal/session-state.ts'
import { getJwks, getWellKnownJwks } from './keys/get-jwks.ts'
import { authenticateMagicLink } from './magic-links/authenticate-magic-link.ts'
import { sendMagicLinks } from './magic-links/send-magic-link.ts'
import { oauthHandlers } from './oauth/handlers.ts'
import { takeProviderForms } from './oauth/provider-forms.ts'
import { admitHashing, refuseLateHashing } from './passwords/admit-hashing.ts'
import { authenticatePassword } from './passwords/authenticate-password.ts'
import { checkPasswordStrength } from './passwords/check-strength.ts'
import { createPassword } from './passwords/create-password.ts'
import { resetPasswordByEmail, startPasswordReset } from './passwords/reset-by-email.ts'
import { resetPasswordByExisting, resetPasswordBySession } from './passwords/reset-known.ts'
import { getBootstrap, postEvents } from './project/bootstrap.ts'
import { notEnabled } from './project/not-enabled.ts'
import { authenticateSession, revokeSession } from './sessions/authenticate-session.ts'
import { deleteFactor } from './users/delete-factor.ts'
import { getMe, updateMe } from './users/me.ts'
import { searchUser } from './users/search.ts'
import { writeError } from './write-error.ts'

export function buildApp(deps: Deps, logger: Logger): FastifyInstance {
  const app = createApp({
    service: 'identity',
    errors,
    writeError,
    logger,
    // A password of any length is answered with a sentence, up to one nobody types.
    bodyLimit: 512 * 1024,
    trustProxy: deps.settings.trustedProxies,
  })
  addHealth(
    app,
    {
      database: async () => {
        await sql`select 1`.execute(deps.db)
        return true
      },
    },
    { shown: { redis: () => deps.revocations.isConnected() } },
  )
  app.register(cookie)
  admitPages(app, deps.settings.allowedOrigins)
  takeEmptyBodies(app)
  takeProviderForms(app)
  keepNoAnswer(app)

  const hashing = {
    createPassword: createPassword(deps),
    authenticatePassword: authenticatePassword(deps),
    resetPasswordByEmail: resetPasswordByEmail(deps),
    resetPasswordByExisting: resetPasswordByExisting(deps),
    resetPasswordBySession: resetPasswordBySession(deps),
  }
  const handlers: Handlers<operations> = {
    getBootstrap: getBootstrap(deps),
    postEvents: postEvents(),
    getMe: getMe(deps),
    updateMe: updateMe(deps),
    ...deleteFactor(deps),
    searchUser: searchUser(deps),
    authenticateSession: authenticateSession(deps),
    revokeSession: revokeSession(deps),
    ...admitHashing(deps, hashing),
    startPasswordReset: startPasswordReset(deps),
    checkPasswordStrength: checkPasswordStrength(deps),
    ...sendMagicLinks(deps),
    authenticateMagicLink: authenticateMagicLink(deps),
    ...sendCodes(deps),
    authenticateCode: authenticateCode(deps),
    ...oauthHandlers(deps),
    getJwks: getJwks(deps),
    getWellKnownJwks: getWellKnownJwks(deps),
    ...notEnabled(),
  }
  // After the plugins, whose hooks they need.
  app.after(() => {
    bindContract(app, contract, answerUnavailable(handlers, 'service_unavailable'), {
      exactAddresses: true,
      routes: refuseLateHashing(deps, hashing),
      onAddress: (url, methods) => allowOnly(app, 'identity', url, methods),
    })
    addSessionState(app, deps)
    addPeople(app, deps)
    receiveEvents(app, { db: deps.db, key: deps.internalKey, handlers: eventHandlers(deps) })
  })
  return app
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
