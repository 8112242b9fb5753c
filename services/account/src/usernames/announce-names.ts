import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { createPublish } from '../subscribers.ts'

/**
 * Publishes all usernames to leaderboard, which was not in the installation when they were chosen.
 * Does so once; `again` repeats it.
 *
 * @returns the number of names; null if they were published before
 */
export function announceNames(
  db: Db,
  { now, again = false }: { readonly now: () => Date; readonly again?: boolean },
): Promise<number | null> {
  const publish = createPublish(['leaderboard'], now)
  return db.transaction().execute(async trx => {
    const first = await trx
      .insertInto('names_announced')
      .values({ subscriber: 'leaderboard' })
      .onConflict(conflict => conflict.doNothing())
      .returning('subscriber')
      .executeTakeFirst()
    if (first === undefined && !again) return null
    let published = 0
    for (let after = ''; ; ) {
      // The lock makes a change of name wait, so that its event follows this one.
      const { rows } = await sql<{ user_id: string; username: string }>`
        select user_id, username from profile where user_id > ${after} order by user_id limit 1000 for share`.execute(
        trx,
      )
      for (const { user_id: userId, username } of rows) {
        await publish(trx, { case: 'usernameChanged', value: { userId, username } })
      }
      published += rows.length
      const last = rows.at(-1)
      if (last === undefined) return published
      after = last.user_id
    }
  })
}
