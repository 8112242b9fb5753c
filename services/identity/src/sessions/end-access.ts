import { endAuthorizationsOf } from '../connected-apps/end-authorizations.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { RunWork, Work } from '../work.ts'
import { endSessionsOf } from './session.repository.ts'

/** Ends every session of a person and all tokens of their apps. The consents stay. Lock the person first. */
export async function endAccessOf(work: Work, userId: string): Promise<void> {
  await endSessionsOf(work, userId)
  await endAuthorizationsOf(work, userId)
}

/**
 * Does the same for everybody, or for one person. Each person is a change of its own, so that nobody else waits.
 * People who sign in meanwhile can stay signed in.
 *
 * @returns how many people had a session or an app with tokens
 */
export async function endAccess(runWork: RunWork, only: string | null): Promise<number> {
  let people = 0
  for (let last = ''; ; ) {
    const userId = await runWork(async work => {
      const next = await nextPerson(work, last, only)
      if (next === null) return null
      await lockActiveUser(work.trx, next)
      await endAccessOf(work, next)
      return next
    })
    if (userId === null) return people
    people++
    last = userId
  }
}

/** Returns the next person after this id who has a session or an app with tokens; null if there is none. */
async function nextPerson({ trx }: Work, last: string, only: string | null): Promise<string | null> {
  const next = await trx
    .selectFrom(eb =>
      eb
        .selectFrom('session')
        .select('user_id')
        .unionAll(eb.selectFrom('app_authorization').select('user_id'))
        .as('access'),
    )
    .select('user_id')
    .where('user_id', '>', last)
    .$if(only !== null, query => query.where('user_id', '=', only!))
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  return next?.user_id ?? null
}
