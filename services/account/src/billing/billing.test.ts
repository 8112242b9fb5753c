import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { harness } from '../test/harness.ts'
import { stripeBilling } from './billing-provider.ts'

const checkout = {
  method: 'POST',
  url: '/api/v1/billing/checkout',
  as: 'user-1',
  body: { tier: 'pro' },
} as const
const portal = { method: 'POST', url: '/api/v1/billing/portal', as: 'user-1' } as const

test('501 where no payment provider is configured', async t => {
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

test('400 for the free tier and for an unknown one', async t => {
  const service = await harness()
  t.after(() => service.close())
  for (const tier of ['free', 'gold', 1]) {
    assert.equal((await service.call('createCheckout', { ...checkout, body: { tier } })).status, 400)
  }
})

test("a checkout makes one customer, asks for the tier's price and leads to the provider's page", async t => {
  const asked: { path: string; body: URLSearchParams }[] = []
  const provider = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push({ path: request.url!, body: new URLSearchParams(Buffer.concat(chunks).toString()) })
    const answers: Record<string, object> = {
      '/v1/customers': { id: 'cus_1', object: 'customer' },
      '/v1/checkout/sessions': { id: 'cs_1', object: 'checkout.session', url: 'https://pay.example/cs_1' },
      '/v1/billing_portal/sessions': {
        id: 'bps_1',
        object: 'billing_portal.session',
        url: 'https://pay.example/portal',
      },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[request.url!]))
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  t.after(() => provider.close())
  const service = await harness({
    billing: stripeBilling({
      secretKey: 'sk_test_x',
      prices: { pro: 'price_pro', team: 'price_team' },
      publicOrigin: new URL('https://lapwing.example'),
      apiBase: new URL(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`),
    }),
  })
  t.after(() => service.close())

  assert.deepEqual((await service.call('createPortal', portal)).body.code, 'billing.no_customer')
  assert.deepEqual((await service.call('createCheckout', checkout)).body, { url: 'https://pay.example/cs_1' })
  await service.call('createCheckout', { ...checkout, body: { tier: 'team' } })
  assert.deepEqual((await service.call('createPortal', portal)).body, { url: 'https://pay.example/portal' })
  assert.deepEqual(
    asked.map(({ path }) => path),
    ['/v1/customers', '/v1/checkout/sessions', '/v1/checkout/sessions', '/v1/billing_portal/sessions'],
  )
  assert.equal(asked[1]!.body.get('line_items[0][price]'), 'price_pro')
  assert.equal(asked[2]!.body.get('line_items[0][price]'), 'price_team')
  assert.equal(asked[1]!.body.get('customer'), 'cus_1')
})

test('502 when the payment provider fails', async t => {
  const down = () => Promise.reject(new Error('down'))
  const service = await harness({ billing: { createCustomer: down, checkoutPage: down, portalPage: down } })
  t.after(() => service.close())
  const answer = await service.call('createCheckout', checkout)
  assert.deepEqual([answer.status, answer.body.code], [502, 'billing.provider_failed'])
})
