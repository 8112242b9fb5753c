import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { issueToken } from '../tokens/token.ts'
import { requireAddable } from '../users/require-addable.ts'
import { requireRoomForProvider } from './attach-to-account.ts'

/** Minutes in which the browser must leave for the provider. */
const TOKEN_MINUTES = 10

/**
 * Returns a token with which the browser starts a provider's sign-in that adds the provider's account to the
 * session's person. It works once. What it adds counts only in the same session.
 */
export function attachOAuth(deps: Deps): HandlerOf<'attachOAuth'> {
  const { change, readClient, limits, settings } = deps
  return async request => {
    const client = readClient(request)
    const { provider } = request.body
    if (!settings.oauth.clients.has(provider)) throw new IdentityError('oauth_provider_not_configured')
    await limits.count('factor', client)
    const token = await change(async work => {
      // Every change locks the person first and the session second, so that no two deadlock.
      const { userId, sessionId } = await requireOwnSession(work, client)
      await requireAddable(work, client, { key: '' })
      await requireRoomForProvider(work.trx, userId)
      return issueToken(work, {
        kind: 'oauth_attach',
        userId,
        data: { provider, sessionId },
        codeChallenge: undefined,
        minutes: TOKEN_MINUTES,
      })
    })
    return answer(request, { oauth_attach_token: token })
  }
}
