import { acquireAccountLock } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { usernameKey } from '@lapwing/usernames'
import { findCustomer } from '../billing/billing-customer.repository.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { findProfile, type Profile } from '../usernames/username.repository.ts'

/**
 * Deletes all personal data and publishes the deletion in one transaction. A second call succeeds
 * and changes nothing. Before the transaction the payment provider deletes the customer, so that
 * nobody pays for a deleted account.
 */
export function deleteAccount({
  db,
  requirePrincipal,
  billing,
  now,
  publish,
  events,
}: Deps): HandlerOf<'deleteAccount'> {
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request)
    const typed = request.body.username
    requireConfirmed(await findProfile(db, userId), typed)
    const customerId = await findCustomer(db, userId)
    if (customerId !== null && billing !== null) {
      await billing.forgetCustomer(customerId).catch((cause: unknown) => {
        throw subscriptionNotEnded(cause)
      })
    }
    await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      const inserted = await trx
        .insertInto('deleted_account')
        .values({ user_id: userId, deleted_at: now() })
        .onConflict(conflict => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      if (inserted === undefined) return
      requireConfirmed(await findProfile(trx, userId), typed)
      // Another request created a customer meanwhile. The payment provider has not deleted it yet.
      if ((await findCustomer(trx, userId)) !== customerId) throw subscriptionNotEnded()
      for (const table of ['profile', 'consent', 'waitlist_member', 'billing_customer'] as const) {
        await trx.deleteFrom(table).where('user_id', '=', userId).execute()
      }
      await publish(trx, { case: 'accountDeleted', value: { userId } })
    })
    events.wake()
    return reply.code(204).send()
  }
}

function requireConfirmed(profile: Profile | null, typed: string): void {
  // Without a profile there is no username to confirm.
  if (profile !== null && usernameKey(typed.trim()) !== usernameKey(profile.username)) {
    throw new AppError('account.username_not_confirmed')
  }
}

function subscriptionNotEnded(cause?: unknown): AppError {
  return new AppError('account.busy', {
    detail: 'Your subscription could not be ended at the moment, so nothing was deleted. Please try again.',
    headers: { 'retry-after': '10' },
    cause,
  })
}
