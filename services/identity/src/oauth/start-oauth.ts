import type { FastifyReply } from 'fastify'
import * as oauth from 'oauth4webapi'
import type { Config } from '../config.ts'
import { newSecret } from '../crypto/secrets.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { resolveRedirect, withParams } from '../redirects.ts'
import { tokenError, useToken } from '../tokens/token.ts'
import type { RemoteClient } from './config.ts'
import type { Attachment, Flow, FlowCookies } from './flow-cookie.ts'
import type { ProviderName } from './providers.ts'
import { callbackUrl, redirectTo, withError } from './redirect.ts'

/** Redirects the browser to a provider's sign-in page. Stores only a cookie, and uses up a token that adds an account. */
export function startOAuth(
  { settings, change, limits }: Pick<Deps, 'settings' | 'change' | 'limits'>,
  cookies: FlowCookies,
): HandlerOf<'startOAuth'> {
  return async (request, reply): Promise<FastifyReply> => {
    const { query, params } = request
    const redirects = readRedirects(settings, query)
    try {
      const client = settings.oauth.clients.get(params.provider)
      if (client === undefined) throw new IdentityError('oauth_provider_not_configured')
      const flow = { ...newFlow(query.code_challenge), ...redirects }
      const url = await authorizeUrl(client, flow, callbackUrl(settings.oauth, client.name), query)
      const attachment = query.oauth_attach_token
        ? await useAttachToken(query.oauth_attach_token, client.name, request.ip)
        : undefined
      cookies.set(reply, client.name, { ...flow, attachment })
      return redirectTo(reply, url)
    } catch (error) {
      // The page that sent the browser can show the error.
      if (!(error instanceof IdentityError) || !query.login_redirect_url) throw error
      return redirectTo(reply, withError(redirects.loginRedirect, error))
    }
  }

  /** Throws `invalid_oauth_attach_token` unless the token is unused and of this provider. */
  async function useAttachToken(
    token: string,
    provider: ProviderName,
    ipAddress: string,
  ): Promise<Attachment> {
    await limits.count('oauth', { ipAddress })
    return change(async work => {
      const { userId, data } = await useToken(work, 'oauth_attach', token, undefined)
      if (userId === null || data.provider !== provider) throw tokenError('oauth_attach')
      return { userId, sessionId: String(data.sessionId) }
    })
  }
}

/**
 * Checks the public token and returns the page's addresses for the end of the round trip. Throws
 * `invalid_public_token` or `no_match_for_provided_oauth_url`.
 */
export function readRedirects(
  settings: Pick<Config, 'publicToken' | 'redirects'>,
  query: {
    readonly public_token?: string
    readonly login_redirect_url?: string
    readonly signup_redirect_url?: string
  },
): Pick<Flow, 'loginRedirect' | 'signupRedirect'> {
  if (query.public_token !== settings.publicToken) throw new IdentityError('invalid_public_token')
  const redirect = (kind: 'login' | 'signup', asked: string | undefined) =>
    resolveRedirect(settings.redirects, kind, asked, 'no_match_for_provided_oauth_url')
  return {
    loginRedirect: redirect('login', query.login_redirect_url),
    signupRedirect: redirect('signup', query.signup_redirect_url),
  }
}

/** Returns the random values of a new round trip, and the page's challenge. Throws `bad_request` without it. */
export function newFlow(
  codeChallenge: string | undefined,
): Pick<Flow, 'state' | 'codeVerifier' | 'nonce' | 'codeChallenge'> {
  return {
    state: newSecret(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    nonce: newSecret(),
    codeChallenge: readChallenge(codeChallenge),
  }
}

/** Returns the address of a provider's sign-in page, with the parameters of this round trip. */
export async function authorizeUrl(
  client: RemoteClient,
  flow: Pick<Flow, 'state' | 'codeVerifier' | 'nonce'>,
  redirectUri: string,
  query: Readonly<Record<string, unknown>>,
): Promise<string> {
  const scopes = new Set([...client.scopes, ...readScopes(query.custom_scopes)])
  const own = {
    [client.clientIdName ?? 'client_id']: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: [...scopes].join(client.scopeSeparator ?? ' '),
    state: flow.state,
    ...(client.issuer !== undefined && { nonce: flow.nonce }),
    ...(client.pkce && {
      code_challenge: await oauth.calculatePKCECodeChallenge(flow.codeVerifier),
      code_challenge_method: 'S256',
    }),
    ...client.authorizeParams,
  }
  // Our parameters come last, so that a link cannot replace them.
  return withParams(client.authorizeUrl, { ...readProviderParams(query), ...own })
}

/**
 * Reads the base64url of a SHA-256 (RFC 7636), which `bootstrap` requires. Without it a stranger could
 * open their own token in another person's browser and so sign that person in as the stranger.
 */
function readChallenge(challenge: string | undefined): string {
  if (challenge !== undefined && /^[A-Za-z0-9_-]{43}$/.test(challenge)) return challenge
  throw new IdentityError('bad_request', { message: 'code_challenge must be the base64url of a SHA-256.' })
}

/**
 * Reads scopes that are separated by spaces (RFC 6749, 3.3). Rejects commas, the separator of some
 * providers.
 */
function readScopes(text: unknown): readonly string[] {
  const scopes = typeof text === 'string' ? text.split(' ').filter(scope => scope !== '') : []
  if (
    scopes.length <= 30 &&
    scopes.every(scope => /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,256}$/.test(scope))
  ) {
    return scopes
  }
  throw new IdentityError('bad_request', { message: 'custom_scopes is not a list of scopes.' })
}

/**
 * Passes `provider_login_hint=…` on as `login_hint=…`. Drops parameters that would change the answer's
 * way.
 */
function readProviderParams(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const params = Object.entries(query).flatMap(([key, value]) => {
    const name = /^provider_([a-z_]{1,40})$/.exec(key)?.[1]
    const isPassed =
      name !== undefined && !RESERVED_PARAMS.has(name) && typeof value === 'string' && value.length <= 256
    return isPassed ? [[name, value] as const] : []
  })
  return Object.fromEntries(params.slice(0, 10))
}

const RESERVED_PARAMS = new Set([
  'client_id',
  'client_key',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'registration',
  'claims',
  'resource',
])
