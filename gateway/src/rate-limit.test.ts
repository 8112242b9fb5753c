import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Deps } from './app.ts'
import { limitKey } from './client-address.ts'
import { routes } from './routes.ts'
import { aRoute, startGateway } from './test/gateway.ts'
import { problemOf } from './test/problem-of.ts'
import { fakeUpstream } from './test/upstream.ts'

const rateLimit = { budget: 'test', max: 3, windowMs: 60_000 }

test('allows 20 previews of an address in a minute, then answers 429 with Retry-After (D-17)', async t => {
  const { ask, upstream } = await behindProxy(t, { routes })
  for (let count = 1; count <= 20; count++) assert.equal((await ask('203.0.113.9')).statusCode, 200)
  const refused = await ask('203.0.113.9')
  const { code, detail } = problemOf(refused)
  assert.equal(code, 'gateway.rate_limited')
  const seconds = Number(refused.headers['retry-after'])
  assert.ok(seconds >= 1 && seconds <= 60)
  assert.ok(detail.includes(`${seconds} s`))
  assert.equal(upstream.received.length, 20)
})

test('counts both addresses of an operation in one budget', async t => {
  const { app } = await behindProxy(t, { routes: [aRoute({ rateLimit })] })
  const statuses = []
  for (const url of ['/api/preview', '/api/v1/preview', '/api/preview/', '/api/v1/preview'])
    statuses.push((await app.inject(url)).statusCode)
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('shares a budget only between routes that name the same one', async t => {
  const { app } = await behindProxy(t, {
    routes: [
      aRoute({ rateLimit }),
      aRoute({ prefix: '/v1/same', rateLimit }),
      aRoute({ prefix: '/v1/other', rateLimit: { ...rateLimit, budget: 'other' } }),
    ],
  })
  for (let count = 0; count < 3; count++) assert.equal((await app.inject('/api/preview')).statusCode, 200)
  assert.equal((await app.inject('/api/preview')).statusCode, 429)
  assert.equal((await app.inject('/api/same')).statusCode, 429)
  assert.equal((await app.inject('/api/other')).statusCode, 200)
})

test('returns the remaining requests and the end of the window with every answer', async t => {
  const { ask } = await behindProxy(t, { routes: [aRoute({ rateLimit })] })
  const left = []
  for (let count = 0; count < 4; count++) {
    const { headers } = await ask('203.0.113.9')
    assert.equal(headers['ratelimit-limit'], '3')
    assert.ok(Number(headers['ratelimit-reset']) <= 60)
    left.push(headers['ratelimit-remaining'])
  }
  assert.deepEqual(left, ['2', '1', '0', '0'])
})

test('allows requests of the address again after the window', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-28T12:00:00Z') })
  const { ask } = await behindProxy(t, { routes: [aRoute({ rateLimit })] })
  for (let count = 0; count < 3; count++) await ask('203.0.113.9')
  t.mock.timers.tick(59_999)
  assert.equal((await ask('203.0.113.9')).statusCode, 429)
  t.mock.timers.tick(1)
  assert.equal((await ask('203.0.113.9')).statusCode, 200)
})

for (const [what, first, second, same] of [
  ['two addresses', '203.0.113.9', '203.0.113.10', false],
  ['two addresses of one /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['two spellings of one address', '2001:db8:1:2::1', '2001:0DB8:0001:0002:0000:0000:0000:0001', true],
  ['two networks of one provider', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['an IPv4 address and the same inside IPv6', '203.0.113.9', '::ffff:203.0.113.9', true],
  ['an IPv4 address and the same in hexadecimal', '203.0.113.9', '::ffff:cb00:7109', true],
  ['two IPv4 addresses inside IPv6', '::ffff:203.0.113.9', '::ffff:203.0.113.10', false],
  ['one address with and without a forged one before it', '203.0.113.9', '198.51.100.7, 203.0.113.9', true],
] as const) {
  test(`counts ${what} in ${same ? 'one budget' : 'two budgets'}`, async t => {
    const { ask } = await behindProxy(t, { routes: [aRoute({ rateLimit })] })
    for (let count = 0; count < 3; count++) assert.equal((await ask(first)).statusCode, 200)
    assert.equal((await ask(second)).statusCode, same ? 429 : 200)
  })
}

test('ignores X-Forwarded-For if no proxy is trusted', async t => {
  const upstream = await fakeUpstream(t)
  const { app } = await startGateway(t, upstream.url, { routes: [aRoute({ rateLimit })] })
  const statuses = []
  for (const forwarded of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
    const answer = await app.inject({ url: '/api/preview', headers: { 'x-forwarded-for': forwarded } })
    statuses.push(answer.statusCode)
  }
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('keys an address by its network alone', () => {
  assert.equal(limitKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::')
  assert.equal(limitKey('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(limitKey('192.0.2.1'), '192.0.2.1')
})

/** Starts a gateway behind a proxy that it trusts, so that a test can choose the client's address. */
async function behindProxy(t: TestContext, options: Partial<Deps>) {
  const upstream = await fakeUpstream(t)
  const { app } = await startGateway(t, upstream.url, { ...options, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  return {
    app,
    upstream,
    ask: (address: string) =>
      app.inject({ method: 'POST', url: '/api/preview', headers: { 'x-forwarded-for': address } }),
  }
}
