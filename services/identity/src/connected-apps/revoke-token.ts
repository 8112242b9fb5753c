import { SessionTokenError } from '@lapwing/auth'
import type { Deps, HandlerOf } from '../deps.ts'
import { verifyAccessToken } from './app-tokens.ts'
import { authenticateApp } from './authenticate-app.ts'
import { findAuthorization, lockAuthorization } from './authorization.repository.ts'
import { recordEvent } from './connected-app.repository.ts'
import { endAuthorization } from './end-authorizations.ts'
import { formOf, required } from './read-form.ts'

/**
 * Ends the authorization of a token (RFC 7009), with every other token of it. Answers the same for a token that is
 * unknown, or of another app.
 */
export function revokeToken(deps: Deps): HandlerOf<'revokeToken'> {
  const { db, change, limits } = deps
  return async (request, reply) => {
    await limits.count('app', { ipAddress: request.ip })
    const form = formOf(request)
    const app = await authenticateApp(db, request, form)
    const found = await findByToken(required(form, 'token'))
    if (found !== null && found.clientId === app.clientId) {
      await change(async work => {
        const authorization = await lockAuthorization(work, found)
        if (authorization === null) return
        await endAuthorization(work, authorization.authorizationId)
        await recordEvent(work, 'token_revoked', app.clientId, { userId: authorization.userId })
      })
    }
    return reply.code(200).send()
  }

  async function findByToken(token: string) {
    const found = await findAuthorization(db, { refreshToken: token })
    if (found !== null) return found
    try {
      return await verifyAccessToken(deps, token)
    } catch (error) {
      if (error instanceof SessionTokenError) return null
      throw error
    }
  }
}
