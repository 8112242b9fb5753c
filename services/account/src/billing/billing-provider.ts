import { Stripe } from 'stripe'

export type PaidTier = 'pro' | 'team'

/** The payment provider's hosted pages. */
export interface BillingProvider {
  /** Makes the person a customer; repeating it for the same person gives the same customer. */
  createCustomer(userId: string): Promise<string>
  checkoutPage(customerId: string, tier: PaidTier): Promise<string>
  portalPage(customerId: string): Promise<string>
  /** Ends what the customer pays for and forgets who they are; one that is gone already is forgotten. */
  forgetCustomer(customerId: string): Promise<void>
}

export interface StripeOptions {
  readonly secretKey: string
  readonly prices: Readonly<Record<PaidTier, string>>
  readonly publicOrigin: URL
  /** Another address than the provider's own, for tests. */
  readonly apiBase?: URL
}

export function stripeBilling({ secretKey, prices, publicOrigin, apiBase }: StripeOptions): BillingProvider {
  const stripe = new Stripe(secretKey, {
    timeout: 8_000,
    maxNetworkRetries: 1,
    ...(apiBase === undefined
      ? {}
      : {
          host: apiBase.hostname,
          port: Number(apiBase.port),
          protocol: apiBase.protocol === 'https:' ? 'https' : 'http',
        }),
  })
  const home = new URL('/', publicOrigin).href
  return {
    async createCustomer(userId) {
      const customer = await stripe.customers.create(
        { metadata: { user_id: userId } },
        { idempotencyKey: `customer-${userId}` },
      )
      return customer.id
    },
    async checkoutPage(customerId, tier) {
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: customerId,
        line_items: [{ price: prices[tier], quantity: 1 }],
        success_url: home,
        cancel_url: home,
      })
      if (session.url === null) throw new Error('the provider gave no address')
      return session.url
    },
    async portalPage(customerId) {
      const session = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: home })
      return session.url
    },
    async forgetCustomer(customerId) {
      try {
        await stripe.customers.del(customerId)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'resource_missing') throw error
      }
    },
  }
}
