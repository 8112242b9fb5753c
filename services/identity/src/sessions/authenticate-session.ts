import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { clearCookies } from './answer-session.ts'
import { requireSession } from './require-session.ts'
import { endSession, saveSession } from './session.repository.ts'
import { prolong, readSessionMinutes } from './start-session.ts'

/** Returns the active session with a new JWT. Prolongs it only if the request has a duration. */
export function authenticateSession({
  change,
  readClient,
  answerSession,
  settings,
}: Deps): HandlerOf<'authenticateSession'> {
  return async (request, reply) => {
    const client = readClient(request)
    const minutes = readSessionMinutes(
      (request.body as { session_duration_minutes?: number }).session_duration_minutes,
    )
    const open = await change(async work => {
      const { token, ...held } = await requireSession(work, client)
      const session = prolong(held, minutes, work.now, settings)
      return { session, token, user: (await saveSession(work.trx, session, token))! }
    })
    return answerSession(request, reply, open, {})
  }
}

/** Ends the session. */
export function revokeSession({ change, readClient, settings }: Deps): HandlerOf<'revokeSession'> {
  return async (request, reply) => {
    const client = readClient(request)
    // Before the change: a browser that signs out loses its cookies even if the change fails.
    clearCookies(reply, settings)
    await change(async work => {
      const { sessionId } = await requireSession(work, client)
      await endSession(work, sessionId)
    })
    return answer(request, {})
  }
}
