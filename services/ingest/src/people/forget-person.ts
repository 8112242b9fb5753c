import { acquireAccountLock } from '@lapwing/db'
import type { EventHandlers } from '@lapwing/events'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { findNumbersOf, lockNumber, settleNumber, withdrawClaim } from '../drivers/driver.repository.ts'

/**
 * Deletes all data of a deleted account, so that a file of it that is being judged records nothing.
 * Leaderboard receives the event too and removes the entries on boards. The next sweep removes the series.
 */
export const eventHandlers: EventHandlers<Database> = {
  async accountDeleted(trx, { userId }) {
    await acquireAccountLock(trx, userId)
    await trx
      .insertInto('deleted_user')
      .values({ user_id: userId })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await sql`insert into object_removal (key)
      select series_key from lap where user_id = ${userId} and series_key is not null
      on conflict do nothing`.execute(trx)
    // The corners stay, because they belong to the track.
    await sql`update track_corners set founder_lap_id = null
      where founder_lap_id in (select id from lap where user_id = ${userId})`.execute(trx)
    await trx.deleteFrom('conflict').where('user_id', '=', userId).execute()
    await trx.deleteFrom('conflict').where('owner_user_id', '=', userId).execute()
    await trx.deleteFrom('lap_conflict').where('user_id', '=', userId).execute()
    await trx.deleteFrom('lap_conflict').where('owner_user_id', '=', userId).execute()
    // Fingerprints and decisions are deleted with their laps.
    const tables = ['person', 'lap', 'standing', 'file', 'track_witness', 'track_sighting', 'ingest'] as const
    for (const table of tables) {
      await trx.deleteFrom(table).where('user_id', '=', userId).execute()
    }
    // The next best claim of each number is bound.
    for (const number of await findNumbersOf(trx, userId)) {
      await lockNumber(trx, number)
      await withdrawClaim(trx, number, userId)
      await settleNumber(trx, number)
    }
  },
}
