import type { Deps, HandlerOf } from '../deps.ts'
import {
  passwordFactor,
  type SessionStart,
  startFirstSession,
  startSession,
} from '../sessions/start-session.ts'
import { readEmail } from '../users/email-address.ts'
import { checkPassword, lockPassword, passwordGuard } from './check-password.ts'

/** Signs in with a password. */
export function authenticatePassword(deps: Deps): HandlerOf<'authenticatePassword'> {
  const { db, change, readClient, answerSignIn, limits, settings, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const email = readEmail(request.body.email)
    const credentials = await checkPassword(deps, client, email.key, request.body.password)
    const start: SessionStart = {
      userId: credentials.userId,
      factor: passwordFactor,
      minutes: request.body.session_duration_minutes,
      client,
      limits: settings,
      condition: {
        guard: passwordGuard(credentials),
        clear: limits.clearSignInStatements({ ...client, accountKey: email.key }),
      },
    }
    if (client.sessionToken === null) {
      return answerSignIn(request, reply, await startFirstSession(db, now(), start), {})
    }
    const open = await change(async work => {
      await lockPassword(work, credentials)
      return startSession(work, start)
    })
    return answerSignIn(request, reply, open, {})
  }
}
