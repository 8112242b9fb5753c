import type { Deps, HandlerOf } from '../deps.ts'
import { startSession } from '../sessions/start-session.ts'
import { tokenError, useForeignToken } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { type ExchangedToken, readAccessToken } from './read-access-token.ts'

/**
 * Signs in with an access token of a connected app to which the person has granted everything. The token works once,
 * and only soon after its issue.
 */
export function exchangeAccessToken(deps: Deps): HandlerOf<'exchangeAccessToken'> {
  const { change, readClient, answerSignIn, limits, settings } = deps
  return async (request, reply) => {
    const client = readClient(request)
    await limits.count('exchange', client)
    const token = await readAccessToken(deps, request.body.access_token)
    const { userId, clientId } = token
    const open = await change(async work => {
      // Every change locks the person first and the token second, so that no two deadlock.
      if (!(await lockActiveUser(work.trx, userId)) || (await isRevoked(work, token))) {
        throw tokenError('access_token')
      }
      await useForeignToken(work, 'access_token', token)
      return startSession(work, {
        userId,
        factor: {
          type: 'oauth',
          delivery_method: 'oauth_access_token_exchange',
          oauth_access_token_exchange_factor: { client_id: clientId },
        },
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
      })
    })
    return answerSignIn(request, reply, open, {})
  }
}

/** Returns whether the app's authorization has ended. It is listed like a session. */
async function isRevoked({ trx }: Work, { authorizationId }: ExchangedToken): Promise<boolean> {
  const ended = await trx
    .selectFrom('revoked_session')
    .select('session_id')
    .where('session_id', '=', authorizationId)
    .executeTakeFirst()
  return ended !== undefined
}
