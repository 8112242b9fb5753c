import type { Deps, HandlerOf } from '../deps.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { IMPERSONATION_MINUTES } from '../sessions/impersonated.ts'
import { startSession } from '../sessions/start-session.ts'
import { existingToken, findToken, tokenError, useToken } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import { type Impersonation, recordImpersonation } from './impersonation.repository.ts'

/**
 * Opens the account that an operator chose on the command line, in a session of its own. The account's owner gets a
 * mail. The operator's browser and network stay unknown to the account.
 */
export function authenticateImpersonation(deps: Deps): HandlerOf<'authenticateImpersonation'> {
  const { change, readClient, answerSession, limits, settings, mailSender, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const { impersonation_token: token } = request.body
    await limits.countToken(client, existingToken('impersonation', token, now()))
    const open = await change(async work => {
      const found = await findToken(work.trx, 'impersonation', token, undefined, work.now)
      // Every change locks the person first and the token second, so that no two deadlock.
      const { userId } = found
      if (userId === null || !(await lockActiveUser(work.trx, userId))) throw tokenError('impersonation')
      const { data } = await useToken(work, 'impersonation', token, undefined)
      const impersonation = data as unknown as Impersonation
      const open = await startSession(work, {
        userId,
        factor: {
          type: 'impersonated',
          delivery_method: 'impersonation',
          impersonated_factor: {
            impersonator_id: impersonation.impersonationId,
            impersonator_email_address: impersonation.operator,
          },
        },
        minutes: IMPERSONATION_MINUTES,
        client,
        limits: settings,
      })
      await recordImpersonation(work.trx, impersonation, open.session)
      await notifyOfWay(work, deps, userId, 'impersonated')
      return open
    })
    mailSender.wake()
    request.log.warn({ session: open.session.sessionId }, 'an operator opened an account')
    return answerSession(request, reply, open, {})
  }
}
