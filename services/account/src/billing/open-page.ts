import { acquireAccountLock } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { refuseDeleted } from '../accounts/refuse-deleted.ts'
import type { Db } from '../database.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { findCustomer } from './billing-customer.repository.ts'
import type { BillingProvider } from './billing-provider.ts'

export function createCheckout({ db, requirePrincipal, billing }: Deps): HandlerOf<'createCheckout'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    await refuseDeleted(db, userId)
    const provider = requireProvider(billing)
    const customerId = (await findCustomer(db, userId)) ?? (await createCustomer(db, provider, userId))
    return openPage(() => provider.checkoutPage(customerId, request.body.tier))
  }
}

export function createPortal({ db, requirePrincipal, billing }: Deps): HandlerOf<'createPortal'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    await refuseDeleted(db, userId)
    const provider = requireProvider(billing)
    const customerId = await findCustomer(db, userId)
    if (customerId === null) throw new AppError('billing.no_customer')
    return openPage(() => provider.portalPage(customerId))
  }
}

function requireProvider(billing: BillingProvider | null): BillingProvider {
  if (billing === null) throw new AppError('billing.not_configured')
  return billing
}

async function openPage(find: () => Promise<string>): Promise<{ url: string }> {
  return { url: await find().catch(throwProviderFailed) }
}

function throwProviderFailed(cause: unknown): never {
  throw new AppError('billing.provider_failed', { cause })
}

/**
 * Creates and stores a customer. If the account is deleted meanwhile, deletes the customer again and
 * throws.
 */
async function createCustomer(db: Db, provider: BillingProvider, userId: string): Promise<string> {
  const customerId = await provider.createCustomer(userId).catch(throwProviderFailed)
  try {
    return await storeCustomer(db, userId, customerId)
  } catch (error) {
    if (error instanceof AppError && error.code === 'account.deleted')
      await provider.forgetCustomer(customerId).catch(throwProviderFailed)
    throw error
  }
}

function storeCustomer(db: Db, userId: string, customerId: string): Promise<string> {
  return db.transaction().execute(async trx => {
    await acquireAccountLock(trx, userId)
    await refuseDeleted(trx, userId)
    await trx
      .insertInto('billing_customer')
      .values({ user_id: userId, customer_id: customerId })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    return (await findCustomer(trx, userId)) ?? customerId
  })
}
