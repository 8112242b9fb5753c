import type { EventHandlers } from '@lapwing/events'
import { sql } from 'kysely'
import { endAuthorizationsOf } from '../connected-apps/end-authorizations.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { deleteTokens } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'

/** Creates the handlers of account's events. */
export function eventHandlers({ revocations, settings, now }: Deps): EventHandlers<Database> {
  return {
    /** Stores mail preferences in the trusted metadata, which only servers write and the page reads. */
    async consentChanged(trx, { userId, waitlist, marketing }) {
      const consent = JSON.stringify({ consent: { waitlist, marketing } })
      await sql`update person set trusted_metadata = trusted_metadata || ${consent}::jsonb
        where user_id = ${userId}`.execute(trx)
    },
    async accountDeleted(trx, { userId }) {
      const work = { trx, now: now(), secondFactor: settings.secondFactor, ended: [] }
      // Every change locks first the person and then the sessions, so that two changes cannot deadlock.
      await lockActiveUser(trx, userId)
      await endSessionsOf(work, userId)
      await endAuthorizationsOf(work, userId)
      await deleteTokens(trx, userId)
      await trx.deleteFrom('person').where('user_id', '=', userId).execute()
      // Before the commit: if the commit fails, the event is delivered again.
      await revocations.announce(work.ended)
    },
  }
}
