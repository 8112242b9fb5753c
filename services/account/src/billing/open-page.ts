import type { operations } from '@lapwing/contracts/account'
import type { Handlers } from '@lapwing/contracts/bind'
import { AppError } from '@lapwing/http'
import type { Kysely } from 'kysely'
import { refuseDeleted } from '../accounts/refuse-deleted.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import type { BillingProvider } from './billing-provider.ts'

type Needs = Pick<Deps, 'db' | 'caller' | 'billing'>

export function createCheckout({ db, caller, billing }: Needs): Handlers<operations>['createCheckout'] {
  return async request => {
    const { userId } = await caller(request)
    await refuseDeleted(db, userId)
    const provider = configured(billing)
    return openPage(async () => {
      const customerId =
        (await findCustomer(db, userId)) ??
        (await keepCustomer(db, userId, await provider.createCustomer(userId)))
      return provider.checkoutPage(customerId, request.body.tier)
    })
  }
}

export function createPortal({ db, caller, billing }: Needs): Handlers<operations>['createPortal'] {
  return async request => {
    const { userId } = await caller(request)
    await refuseDeleted(db, userId)
    const provider = configured(billing)
    const customerId = await findCustomer(db, userId)
    if (customerId === null) throw new AppError('billing.no_customer')
    return openPage(() => provider.portalPage(customerId))
  }
}

function configured(billing: BillingProvider | null): BillingProvider {
  if (billing === null) throw new AppError('billing.not_configured')
  return billing
}

async function openPage(find: () => Promise<string>): Promise<{ url: string }> {
  try {
    return { url: await find() }
  } catch (error) {
    throw new AppError('billing.provider_failed', { cause: error })
  }
}

async function findCustomer(db: Kysely<Database>, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.customer_id ?? null
}

async function keepCustomer(db: Kysely<Database>, userId: string, customerId: string): Promise<string> {
  await db
    .insertInto('billing_customer')
    .values({ user_id: userId, customer_id: customerId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return (await findCustomer(db, userId)) ?? customerId
}
