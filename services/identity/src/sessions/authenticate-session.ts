import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { clearCookies } from './answer-session.ts'
import { requireSession } from './require-session.ts'
import { endSession, saveSession } from './session.repository.ts'
import { prolong, readSessionMinutes } from './start-session.ts'

/** Says whether the session stands, with a new JWT; it lasts longer only where a duration is asked. */
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

/** Ends the session everywhere. */
export function revokeSession({ change, client, settings }: Deps): Handlers<operations>['revokeSession'] {
  return async (request, reply) => {
    const caller = client(request)
    // Whatever comes of it: a browser that signs out holds nothing any more.
    clearCookies(reply, settings)
    await change(async work => {
      const { sessionId } = await requireSession(work, caller)
      await endSession(work, sessionId)
    })
    return answer(request, {})
  }
}
