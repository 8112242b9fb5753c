import { isUnavailable } from '@lapwing/db'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../crypto/secrets.ts'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { RemoteClient } from './config.ts'
import type { ExchangeCode } from './exchange-code.ts'
import type { Flow, FlowCookies, FlowName } from './flow-cookie.ts'
import type { Profile } from './read-profile.ts'
import { redirectTo, withDenial, withError } from './redirect.ts'

/** The query with which a provider sends the browser back. */
interface CallbackQuery {
  readonly code?: string
  readonly state?: string
  readonly error?: string
}

export interface RoundTrip {
  readonly name: FlowName
  readonly client: RemoteClient
  readonly query: CallbackQuery
  /** Address of the callback itself. */
  readonly redirectUri: string
  /** Returns the page's address with a token. Throws an `IdentityError`, which the page gets instead. */
  land(profile: Profile, flow: Flow): Promise<string>
}

/**
 * Creates the end of a round trip to a provider, or to an organization's own sign-in. It checks the answer, and
 * redirects the browser to the page with a token or an error.
 */
export function createFinishRoundTrip(
  { settings, db, limits, now }: Pick<Deps, 'settings' | 'db' | 'limits' | 'now'>,
  cookies: FlowCookies,
  exchangeCode: ExchangeCode,
) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { name, client, query, redirectUri, land }: RoundTrip,
  ): Promise<FastifyReply> => {
    const flow = cookies.read(request, name, query.state)
    // The request cannot be trusted, so redirect to the first configured address.
    if (flow === null) {
      return redirectTo(
        reply,
        withError(settings.redirects.login[0]!, new IdentityError('oauth_state_mismatch')),
      )
    }
    cookies.clear(reply, name)
    try {
      await limits.count('oauth', { ipAddress: request.ip })
      await useState(flow)
      if (DENIALS.has(query.error ?? '')) return redirectTo(reply, withDenial(flow.loginRedirect))
      const { code, error } = query
      if (error !== undefined || code === undefined) {
        request.log.warn({ provider: name }, 'a provider answered with an error')
        throw new IdentityError('oauth_flow_callback_error')
      }
      const profile = await exchangeCode(client, { code, flow, redirectUri }).catch((cause: unknown) => {
        request.log.warn({ provider: name, reason: reasonOf(cause) }, 'the exchange with a provider failed')
        throw new IdentityError('oauth_flow_callback_error')
      })
      return redirectTo(reply, await land(profile, flow))
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
}

export type FinishRoundTrip = ReturnType<typeof createFinishRoundTrip>

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
