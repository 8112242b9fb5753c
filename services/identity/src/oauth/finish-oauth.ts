import type { FastifyReply } from 'fastify'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { withToken } from '../redirects.ts'
import { issueToken } from '../tokens/token.ts'
import { findByProvider, sourceOf } from './enter-by-provider.ts'
import type { FinishRoundTrip } from './finish-round-trip.ts'
import { callbackUrl } from './redirect.ts'

/** Minutes in which the page must exchange its token. */
export const TOKEN_MINUTES = 5

/**
 * Redirects the browser from a provider to the page, with a token or an error. Signs nobody in: the page
 * exchanges the token (`authenticate-oauth.ts`).
 */
export function finishOAuth(
  { settings, db, change }: Pick<Deps, 'settings' | 'db' | 'change'>,
  finishRoundTrip: FinishRoundTrip,
): HandlerOf<'finishOAuth'> {
  return async (request, reply): Promise<FastifyReply> => {
    const { query, params } = request
    const client = settings.oauth.clients.get(params.provider)
    if (client === undefined) throw new IdentityError('oauth_provider_not_configured')
    const { name } = client
    return finishRoundTrip(request, reply, {
      name,
      client,
      query,
      redirectUri: callbackUrl(settings.oauth, name),
      async land(profile, flow) {
        const { attachment } = flow
        const known = attachment ?? (await findByProvider(db, sourceOf(name), profile))
        const token = await change(work =>
          issueToken(work, {
            kind: 'oauth',
            userId: known?.userId ?? null,
            data: { provider: name, profile, attachment },
            codeChallenge: flow.codeChallenge,
            minutes: TOKEN_MINUTES,
          }),
        )
        return withToken(known === null ? flow.signupRedirect : flow.loginRedirect, 'oauth', token)
      },
    })
  }
}
