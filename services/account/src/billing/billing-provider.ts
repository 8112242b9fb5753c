import { Stripe } from 'stripe'

export type PaidTier = 'pro' | 'team'

/** The payment provider's hosted pages. */
export interface BillingProvider {
  /** Creates a customer and returns its id. A repetition for the same account returns the same customer. */
  createCustomer(userId: string): Promise<string>
  /** Returns the address of a page that sells the tier. */
  checkoutPage(customerId: string, tier: PaidTier): Promise<string>
  /** Returns the address of the page on which a customer manages their subscription. */
  portalPage(customerId: string): Promise<string>
  /**
   * Ends the customer's subscriptions and deletes their data. Succeeds if the customer is deleted
   * already.
   */
  forgetCustomer(customerId: string): Promise<void>
}

export interface StripeOptions {
  readonly secretKey: string
  readonly prices: Readonly<Record<PaidTier, string>>
  readonly publicOrigin: URL
  /** Replaces the provider's address in tests. */
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
      if (session.url === null) throw new Error('the provider returned no address')
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
