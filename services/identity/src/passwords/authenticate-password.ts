import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { startSession } from '../sessions/start-session.ts'
import { readEmail } from '../users/email-address.ts'
import { checkPassword, holdPassword } from './check-password.ts'

export function authenticatePassword(deps: Deps): Handlers<operations>['authenticatePassword'] {
  const { change, client, answerSession, limits, settings } = deps
  return async (request, reply) => {
    const caller = client(request)
    const email = readEmail(request.body.email)
    const credentials = await checkPassword(deps, caller, email.key, request.body.password)
    const open = await change(async work => {
      await holdPassword(work, credentials)
      await limits.forgive(work.trx, email.key)
      return startSession(work, {
        userId: credentials.userId,
        factor: { type: 'password', delivery_method: 'knowledge' },
        minutes: request.body.session_duration_minutes,
        client: caller,
        limits: settings,
      })
    })
    return answerSession(request, reply, open, {})
  }
}
