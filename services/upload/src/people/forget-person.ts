import { acquireAccountLock } from '@lapwing/db'
import type { EventHandlers } from '@lapwing/events'
import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Handles the events of account. When an account is deleted, its uploads are deleted too. The next sweep
 * deletes its files, including files that arrive later with a form that is still valid.
 */
export function eventHandlers(now: () => Date): EventHandlers<Database> {
  return {
    async accountDeleted(trx, { userId }) {
      await acquireAccountLock(trx, userId)
      await trx
        .insertInto('deleted_user')
        .values({ user_id: userId, deleted_at: now() })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      await sql`insert into object_removal (key, until)
        select key, expires_at from upload_session where user_id = ${userId} and state <> 'removed'
        on conflict do nothing`.execute(trx)
      await trx.deleteFrom('upload_session').where('user_id', '=', userId).execute()
    },
  }
}
