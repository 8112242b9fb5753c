import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type Harness, harness } from '../test/harness.ts'
import { stripeBilling } from './billing-provider.ts'

const checkout = {
  method: 'POST',
  url: '/api/v1/billing/checkout',
  as: 'user-1',
  body: { tier: 'pro' },
} as const
const portal = { method: 'POST', url: '/api/v1/billing/portal', as: 'user-1' } as const

test('answers 501 if no payment provider is configured', async t => {
  const service = await harness()
  t.after(() => service.close())
  for (const [operation, request] of [
    ['createCheckout', checkout],
    ['createPortal', portal],
  ] as const) {
    const answer = await service.call(operation, request)
    assert.deepEqual([answer.status, answer.body.code], [501, 'billing.not_configured'])
  }
})

test('answers 400 for the free tier and for an unknown one', async t => {
  const service = await harness()
  t.after(() => service.close())
  for (const tier of ['free', 'gold', 1]) {
    assert.equal((await service.call('createCheckout', { ...checkout, body: { tier } })).status, 400)
  }
})

test("creates one customer, requests the tier's price and returns the provider's page", async t => {
  const { requests, billing } = await paymentProvider(t)
  const service = await harness({ billing })
  t.after(() => service.close())

  assert.deepEqual((await service.call('createPortal', portal)).body.code, 'billing.no_customer')
  assert.deepEqual((await service.call('createCheckout', checkout)).body, { url: 'https://pay.example/cs_1' })
  await service.call('createCheckout', { ...checkout, body: { tier: 'team' } })
  assert.deepEqual((await service.call('createPortal', portal)).body, { url: 'https://pay.example/portal' })
  assert.deepEqual(
    requests.map(({ path }) => path),
    [
      'POST /v1/customers',
      'POST /v1/checkout/sessions',
      'POST /v1/checkout/sessions',
      'POST /v1/billing_portal/sessions',
    ],
  )
  assert.equal(requests[1]!.body.get('line_items[0][price]'), 'price_pro')
  assert.equal(requests[2]!.body.get('line_items[0][price]'), 'price_team')
  assert.equal(requests[1]!.body.get('customer'), 'cus_1')
})

/** Starts a server that answers like the payment provider, and a client for it. */
async function paymentProvider(t: TestContext) {
  const requests: { path: string; body: URLSearchParams }[] = []
  const customers = new Set<string>()
  const answerTo = (path: string): [number, object] => {
    switch (path) {
      case 'POST /v1/customers':
        customers.add('cus_1')
        return [200, { id: 'cus_1', object: 'customer' }]
      case 'POST /v1/checkout/sessions':
        return [200, { id: 'cs_1', object: 'checkout.session', url: 'https://pay.example/cs_1' }]
      case 'POST /v1/billing_portal/sessions':
        return [200, { id: 'bps_1', object: 'billing_portal.session', url: 'https://pay.example/portal' }]
      case 'DELETE /v1/customers/cus_1':
        return customers.delete('cus_1')
          ? [200, { id: 'cus_1', object: 'customer', deleted: true }]
          : [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x' } }]
      default:
        return [404, { error: { type: 'invalid_request_error', message: 'x' } }]
    }
  }
  const provider = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = `${request.method} ${request.url}`
    requests.push({ path, body: new URLSearchParams(Buffer.concat(chunks).toString()) })
    const [status, body] = answerTo(path)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  t.after(() => provider.close())
  const billing = stripeBilling({
    secretKey: 'sk_test_x',
    prices: { pro: 'price_pro', team: 'price_team' },
    publicOrigin: new URL('https://lapwing.example'),
    apiBase: new URL(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`),
  })
  return { requests, customers, billing }
}

const remove = {
  method: 'DELETE',
  url: '/api/v1/auth/account',
  as: 'user-1',
  body: { username: 'somebody' },
} as const

test('deletes the customer at the payment provider with the account', async t => {
  const { requests, customers, billing } = await paymentProvider(t)
  const service = await harness({ billing })
  t.after(() => service.close())
  await service.call('createCheckout', checkout)
  assert.equal(customers.size, 1)
  assert.equal((await service.call('deleteAccount', remove)).status, 204)
  assert.equal(customers.size, 0)
  // A repetition succeeds, here and at the provider.
  const before = requests.length
  assert.equal((await service.call('deleteAccount', remove)).status, 204)
  assert.equal(requests.length, before)
  await billing.forgetCustomer('cus_1')
})

test('deletes nothing if the payment provider cannot end the subscription', async t => {
  let isDown = true
  const service = await harness({
    billing: {
      createCustomer: async () => 'cus_1',
      checkoutPage: async () => 'https://pay.example/cs_1',
      portalPage: async () => 'https://pay.example/portal',
      forgetCustomer: async () => {
        if (isDown) throw new Error('down')
      },
    },
  })
  t.after(() => service.close())
  await service.call('createCheckout', checkout)
  const refused = await service.call('deleteAccount', remove)
  assert.deepEqual([refused.status, refused.body.code], [503, 'account.busy'])
  assert.match(String(refused.body.detail), /subscription could not be ended.*nothing was deleted/)
  assert.equal((await service.call('createPortal', portal)).status, 200)
  isDown = false
  assert.equal((await service.call('deleteAccount', remove)).status, 204)
  assert.equal((await service.call('createPortal', portal)).body.code, 'account.deleted')
})

test('leaves no customer if the account is deleted during a checkout', async t => {
  const forgotten: string[] = []
  const service: Harness = await harness({
    billing: {
      async createCustomer() {
        assert.equal((await service.call('deleteAccount', remove)).status, 204)
        return 'cus_late'
      },
      checkoutPage: async () => 'https://pay.example/cs_1',
      portalPage: async () => 'https://pay.example/portal',
      forgetCustomer: async id => void forgotten.push(id),
    },
  })
  t.after(() => service.close())
  const answer = await service.call('createCheckout', checkout)
  assert.deepEqual([answer.status, answer.body.code], [410, 'account.deleted'])
  assert.deepEqual(forgotten, ['cus_late'])
  assert.deepEqual(await service.db.selectFrom('billing_customer').selectAll().execute(), [])
})

test('answers 502 if the payment provider fails', async t => {
  const down = () => Promise.reject(new Error('down'))
  const service = await harness({
    billing: { createCustomer: down, checkoutPage: down, portalPage: down, forgetCustomer: down },
  })
  t.after(() => service.close())
  const answer = await service.call('createCheckout', checkout)
  assert.deepEqual([answer.status, answer.body.code], [502, 'billing.provider_failed'])
})
