import type { operations } from '@lapwing/contracts/account'
import type { Handlers } from '@lapwing/contracts/bind'
import { AppError } from '@lapwing/http'
import { usernameKey } from '@lapwing/usernames'
import type { Deps } from '../deps.ts'
import { findProfile } from '../usernames/username.repository.ts'
import { lockPerson } from './refuse-deleted.ts'

/**
 * Deletes everything personal here and tells the other services, in one transaction: either all of
 * them will hear of it or nothing has happened. A second call finds the account gone and agrees.
 */
export function deleteAccount({
  db,
  caller,
  now,
  tell,
  events,
}: Pick<Deps, 'db' | 'caller' | 'now' | 'tell' | 'events'>): Handlers<operations>['deleteAccount'] {
  return async (request, reply) => {
    const { userId } = await caller(request)
    await db.transaction().execute(async trx => {
      await lockPerson(trx, userId)
      const marked = await trx
        .insertInto('deleted_account')
        .values({ user_id: userId, deleted_at: now() })
        .onConflict(conflict => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      if (marked === undefined) return
      const profile = await findProfile(trx, userId)
      // A person who was never given a name has none to type.
      if (profile !== null && usernameKey(request.body.username.trim()) !== usernameKey(profile.username)) {
        throw new AppError('account.username_not_confirmed')
      }
      for (const table of ['profile', 'consent', 'waitlist_member', 'billing_customer'] as const) {
        await trx.deleteFrom(table).where('user_id', '=', userId).execute()
      }
      await tell(trx, {
        case: 'accountDeleted',
        value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId },
      })
    })
    events.wake()
    return reply.code(204).send()
  }
}
