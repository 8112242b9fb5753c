import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { clearCookies } from './answer-session.ts'
import { requireSession } from './require-session.ts'
import { endSession, saveSession } from './session.repository.ts'
import { prolong, readSessionMinutes } from './start-session.ts'

/** Returns the active session with a new JWT. Prolongs it only if the request has a duration. */
export function authenticateSession({
  change,
  client,
  answerSession,
  settings,
}: Deps): Handlers<operations>['authenticateSession'] {
  return async (request, reply) => {
    const caller = client(request)
    const minutes = readSessionMinutes(
      (request.body as { session_duration_minutes?: number }).session_duration_minutes,
    )
    const open = await change(async work => {
      const { token, ...held } = await requireSession(work, caller)
      const session = prolong(held, minutes, work.now, settings)
      return { session, token, user: (await saveSession(work.trx, session, token))! }
    })
    return answerSession(request, reply, open, {})
  }
}

/** Ends the session. */
export function revokeSession({ change, client, settings }: Deps): Handlers<operations>['revokeSession'] {
  return async (request, reply) => {
    const caller = client(request)
    // Before the change: a browser that signs out loses its cookies even if the change fails.
    clearCookies(reply, settings)
    await change(async work => {
      const { sessionId } = await requireSession(work, caller)
      await endSession(work, sessionId)
    })
    return answer(request, {})
  }
}
