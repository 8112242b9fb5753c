import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { type SessionStart, startFirstSession, startSession } from '../sessions/start-session.ts'
import { readEmail } from '../users/email-address.ts'
import { checkPassword, lockPassword, passwordGuard } from './check-password.ts'

/** Signs in with a password. */
export function authenticatePassword(deps: Deps): Handlers<operations>['authenticatePassword'] {
  const { db, change, client, answerSignIn, limits, settings, now } = deps
  return async (request, reply) => {
    const caller = client(request)
    const email = readEmail(request.body.email)
    const credentials = await checkPassword(deps, caller, email.key, request.body.password)
    const start: SessionStart = {
      userId: credentials.userId,
      factor: { type: 'password', delivery_method: 'knowledge' },
      minutes: request.body.session_duration_minutes,
      client: caller,
      limits: settings,
      condition: {
        guard: passwordGuard(credentials),
        clear: limits.clearSignInStatements({ ...caller, accountKey: email.key }),
      },
    }
    if (caller.sessionToken === null) {
      return answerSignIn(request, reply, await startFirstSession(db, now(), start), {})
    }
    const open = await change(async work => {
      await lockPassword(work, credentials)
      return startSession(work, start)
    })
    return answerSignIn(request, reply, open, {})
  }
}
