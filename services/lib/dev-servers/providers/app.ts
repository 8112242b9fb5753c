import { createHash, randomBytes } from 'node:crypto'
import { AppError, addHealth, createApp, type ErrorTable } from '@lapwing/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CryptoKey, type JWK, SignJWT } from 'jose'
import type { Logger } from 'pino'
import { type AuthoriseQuery, authorisePage, pagePolicy } from './authorise-page.ts'
import { type Account, type Face, type FaceName, faces } from './faces.ts'
import { ShortLived } from './short-lived.ts'

/** Builds RFC 6749's authorization code grant with PKCE (RFC 7636), once for each provider. */
export function buildProviders(options: AppOptions): FastifyInstance {
  const app = createApp({ service: 'providers', errors, logger: options.logger, trustProxy: [] })
  addHealth(app)
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  )
  app.get('/', async (_request, reply) =>
    reply.type('text/plain').send(
      `${Object.values(faces)
        .map(({ title }) => title)
        .join(' and ')}\n`,
    ),
  )
  for (const [name, face] of Object.entries(faces)) addFace(app, name as FaceName, face, options)
  return app
}

export interface AppOptions {
  readonly now: () => number
  readonly logger: Logger
  readonly client: { readonly id: string; readonly secret: string }
  /** Further origins to which people may be redirected, beside this machine's own. */
  readonly redirectOrigins: readonly string[]
  readonly signingKey: CryptoKey
  readonly publicJwk: JWK
}

const CODE_LIFETIME_MS = 60_000
const ACCESS_TOKEN_LIFETIME_MS = 300_000

/** The data of a code until it is exchanged. */
interface Grant {
  readonly account: Account
  readonly redirectUri: string
  readonly scope: string
  readonly codeChallenge: string | undefined
  readonly nonce: string | undefined
}

function addFace(app: FastifyInstance, name: FaceName, face: Face, options: AppOptions): void {
  const { client, now } = options
  const codes = new ShortLived<Grant>({ lifetimeMs: CODE_LIFETIME_MS, now })
  const accessTokens = new ShortLived<Account>({ lifetimeMs: ACCESS_TOKEN_LIFETIME_MS, now })

  app.get<{ Querystring: AuthoriseQuery }>(`/${name}/authorize`, async ({ query }, reply) => {
    refuseBadClient(query, options)
    return sendPage(reply, authorisePage(face.title, query))
  })

  app.post<{ Body: AuthoriseQuery & Decision }>(`/${name}/authorize`, async ({ body }, reply) => {
    const { decision, email = '', unverified, ...query } = body ?? {}
    refuseBadClient(query, options)
    const back = new URL(query.redirect_uri!)
    const answer = (parameters: Readonly<Record<string, string>>) => {
      for (const [key, value] of Object.entries(parameters)) back.searchParams.set(key, value)
      if (query.state !== undefined) back.searchParams.set('state', query.state)
      return reply.code(303).header('location', back.href).send()
    }
    const problem = requestProblem(query)
    if (problem !== null) return answer({ error: 'invalid_request', error_description: problem })
    if (decision === 'deny') {
      return answer({ error: 'access_denied', error_description: 'The person did not agree.' })
    }
    if (!/^[^@\s]{1,64}@[^@\s]{1,255}$/.test(email)) {
      return sendPage(reply.code(400), authorisePage(face.title, query, 'Please type an email address.'))
    }
    const code = codes.add({
      account: { email, verified: unverified === undefined },
      redirectUri: query.redirect_uri!,
      scope: query.scope ?? '',
      codeChallenge: query.code_challenge,
      nonce: query.nonce,
    })
    return answer({ code })
  })

  app.post<{ Body: Readonly<Record<string, string>> }>(`/${name}/token`, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const refuse = (status: number, error: string) => reply.code(status).send({ error })
    const form = request.body ?? {}
    if (!isClient(request, form, client)) return refuse(401, 'invalid_client')
    if (form.grant_type !== 'authorization_code') return refuse(400, 'unsupported_grant_type')
    // Deleted at the first use, so that a code in a bad request cannot be used again.
    const grant = codes.take(form.code ?? '')
    if (grant === null || grant.redirectUri !== form.redirect_uri) return refuse(400, 'invalid_grant')
    if (challengeOf(form.code_verifier) !== grant.codeChallenge) return refuse(400, 'invalid_grant')
    return {
      access_token: accessTokens.add(grant.account),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_LIFETIME_MS / 1000,
      scope: grant.scope,
      ...(face.isOpenId && { id_token: await idToken(grant, `${originOf(request)}/${name}`) }),
    }
  })

  app.get(`/${name}${face.profilePath}`, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const account = accessTokens.get(token)
    if (account === null) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer error="invalid_token"')
        .send({ message: '401' })
    }
    return face.profile(account)
  })

  if (face.isOpenId) {
    // So that an organization of identity can use it as its own sign-in.
    app.get(`/${name}/.well-known/openid-configuration`, async request => {
      const issuer = `${originOf(request)}/${name}`
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}${face.profilePath}`,
        jwks_uri: `${issuer}/certs`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }
    })
  }

  app.get(`/${name}/certs`, async () => ({ keys: [{ ...options.publicJwk, alg: 'RS256', use: 'sig' }] }))

  function idToken(grant: Grant, issuer: string): Promise<string> {
    const issuedAt = Math.floor(now() / 1000)
    return new SignJWT({
      ...face.profile(grant.account),
      ...(grant.nonce !== undefined && { nonce: grant.nonce }),
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(client.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign(options.signingKey)
  }
}

interface Decision {
  readonly decision?: string
  readonly email?: string
  readonly unverified?: string
}

const errors: ErrorTable = {
  'providers.unknown_client': {
    status: 400,
    title: 'Unknown client',
    detail: 'This client or its redirect address is not known here.',
  },
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Throws before any redirect if client or redirect URL is unknown (RFC 6749, 4.1.2.1). */
function refuseBadClient(query: AuthoriseQuery, { client, redirectOrigins }: AppOptions): void {
  const redirect = URL.parse(query.redirect_uri ?? '')
  const isKnown =
    redirect !== null &&
    (LOOPBACK_HOSTS.includes(redirect.hostname) || redirectOrigins.includes(redirect.origin))
  if (query.client_id !== client.id || !isKnown || redirect.hash !== '') {
    throw new AppError('providers.unknown_client')
  }
}

function requestProblem(query: AuthoriseQuery): string | null {
  if (query.response_type !== 'code') return 'response_type must be code.'
  if (query.state === undefined) return 'state is missing.'
  if (query.code_challenge !== undefined && query.code_challenge_method !== 'S256') {
    return 'code_challenge_method must be S256.'
  }
  return null
}

/** Checks the client by HTTP Basic or by the form; the real providers accept both. */
function isClient(
  request: FastifyRequest,
  form: Readonly<Record<string, string>>,
  client: { readonly id: string; readonly secret: string },
): boolean {
  const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const [id, secret] =
    basic === undefined
      ? [form.client_id, form.client_secret]
      : Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeFormText)
  return id === client.id && secret === client.secret
}

function decodeFormText(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? ''
}

function challengeOf(verifier: string | undefined): string | undefined {
  return verifier === undefined ? undefined : createHash('sha256').update(verifier).digest('base64url')
}

function originOf(request: FastifyRequest): string {
  return `http://${request.host}`
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({ 'content-security-policy': pagePolicy(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page.replace('<style>', `<style nonce="${nonce}">`))
}
