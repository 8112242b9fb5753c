import { isUnavailable } from '@lapwing/db'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../crypto/secrets.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { withToken } from '../redirects.ts'
import { issueToken } from '../tokens/token.ts'
import type { OAuthClient } from './config.ts'
import { findByProvider, sourceOf } from './enter-by-provider.ts'
import type { ExchangeCode } from './exchange-code.ts'
import type { Flow, FlowCookies } from './flow-cookie.ts'
import { callbackUrl, redirectTo, withDenial, withError } from './redirect.ts'

/** Minutes in which the page must exchange its token. */
const TOKEN_MINUTES = 5

/**
 * Redirects the browser from a provider to the page, with a token or an error. Signs nobody in: the page
 * exchanges the token (`authenticate-oauth.ts`).
 */
export function finishOAuth(
  { settings, db, change, limits, now }: Pick<Deps, 'settings' | 'db' | 'change' | 'limits' | 'now'>,
  cookies: FlowCookies,
  exchangeCode: ExchangeCode,
): HandlerOf<'finishOAuth'> {
  return async (request, reply): Promise<FastifyReply> => {
    const { query, params } = request
    const client = settings.oauth.clients.get(params.provider)
    if (client === undefined) throw new IdentityError('oauth_provider_not_configured')
    const flow = cookies.read(request, client.name, query.state)
    // The request cannot be trusted, so redirect to the first configured address.
    if (flow === null) {
      return redirectTo(
        reply,
        withError(settings.redirects.login[0]!, new IdentityError('oauth_state_mismatch')),
      )
    }
    cookies.clear(reply, client.name)
    try {
      await limits.count('oauth', { ipAddress: request.ip })
      await useState(flow)
      if (DENIALS.has(query.error ?? '')) return redirectTo(reply, withDenial(flow.loginRedirect))
      return redirectTo(reply, await finish(client, flow, query, request))
    } catch (error) {
      return redirectTo(reply, withError(flow.loginRedirect, asIdentityError(error, request)))
    }
  }

  /** Uses the state up. Throws `oauth_state_mismatch` the second time, even with a copy of the cookie. */
  async function useState(flow: Flow): Promise<void> {
    const used = await db
      .insertInto('oauth_state')
      .values({ state_hash: hashSecret(flow.state), used_at: now() })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    if (used.numInsertedOrUpdatedRows !== 1n) throw new IdentityError('oauth_state_mismatch')
  }

  async function finish(
    client: OAuthClient,
    flow: Flow,
    { code, error }: { readonly code?: string; readonly error?: string },
    request: FastifyRequest,
  ): Promise<string> {
    if (error !== undefined || code === undefined) {
      request.log.warn({ provider: client.name }, 'a provider answered with an error')
      throw new IdentityError('oauth_flow_callback_error')
    }
    const profile = await exchangeCode(client, {
      code,
      flow,
      redirectUri: callbackUrl(settings.oauth, client.name),
    }).catch((cause: unknown) => {
      request.log.warn(
        { provider: client.name, reason: reasonOf(cause) },
        'the exchange with a provider failed',
      )
      throw new IdentityError('oauth_flow_callback_error')
    })
    const { attachment } = flow
    const known = attachment ?? (await findByProvider(db, sourceOf(client.name), profile))
    const token = await change(work =>
      issueToken(work, {
        kind: 'oauth',
        userId: known?.userId ?? null,
        data: { provider: client.name, profile, attachment },
        codeChallenge: flow.codeChallenge,
        minutes: TOKEN_MINUTES,
      }),
    )
    return withToken(known === null ? flow.signupRedirect : flow.loginRedirect, 'oauth', token)
  }
}

/** Errors of providers after "Cancel" (RFC 6749; the longer ones are LinkedIn's and Apple's). */
const DENIALS = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize', 'user_denied'])

function asIdentityError(error: unknown, request: FastifyRequest): IdentityError {
  if (error instanceof IdentityError) return error
  request.log.error({ err: error }, 'a sign-in with a provider failed')
  return new IdentityError(isUnavailable(error) ? 'service_unavailable' : 'internal_server_error')
}

/** Returns only names and codes, because the rest of an error can hold a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { name, code, error: answered } = error as Error & { code?: unknown; error?: unknown }
  return [name, code, answered]
    .filter(part => typeof part === 'string')
    .join(' ')
    .slice(0, 200)
}
