import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SharedRedis } from '@lapwing/redis'
import { until } from '@lapwing/testing/until.ts'
import type { Route } from './routes.ts'
import { aRoute, startGateway, type TestGateway } from './test/gateway.ts'
import { testRedis } from './test/redis.ts'
import { fakeUpstream } from './test/upstream.ts'

const rateLimit = { budget: 'test', max: 100, windowMs: 60_000 }
const guarded = { budget: 'guarded', max: 30, windowMs: 60_000, maxAlone: 10 }
const rows = [aRoute({ rateLimit }), aRoute({ prefix: '/v1/guarded', rateLimit: guarded })]

test('allows exactly one limit at two gateways together, for requests at the same time', async t => {
  const { redis, gateways, upstream } = await twoGateways(t)
  const statuses = await askAtOnce(gateways, '/api/preview', 300)
  assert.deepEqual(statuses, { 200: 100, 429: 200 })
  assert.equal(upstream.received.length, 100)
  const keys = await redis.run(client => client.keys('*'))
  assert.deepEqual(keys, ['gateway:limit:test 203.0.113.9'])
  const leftMs = await redis.run(client => client.pttl(keys[0]!))
  assert.ok(leftMs > 0 && leftMs <= 60_000)
})

test('sends its script once a connection, and counts exactly when Redis forgets it', async t => {
  const { redis, gateways } = await twoGateways(t)
  const texts = async () =>
    Number(/cmdstat_eval:calls=(\d+)/.exec(await redis.run(client => client.info('commandstats')))?.[1])
  await askAtOnce(gateways, '/api/preview', 50)
  assert.equal(await texts(), 2)
  await redis.run(client => client.script('FLUSH'))
  await askAtOnce(gateways, '/api/preview', 10)
  assert.equal(await redis.run(client => client.get('gateway:limit:test 203.0.113.9')), '60')
  assert.ok((await texts()) > 2)
})

test('counts requests that arrive together with few commands, each once', async t => {
  const { redis, gateways } = await twoGateways(t)
  assert.deepEqual(await askAtOnce(gateways, '/api/preview', 100), { 200: 100 })
  const stats = await redis.run(client => client.info('commandstats'))
  const commands = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].map(([, calls]) => Number(calls))
  const sum = commands.reduce((all, calls) => all + calls, 0)
  assert.ok(sum > 0 && sum < 50, `${sum} commands`)
  assert.equal(await redis.run(client => client.get('gateway:limit:test 203.0.113.9')), '100')
})

test('allows the address again after the window, at both gateways', async t => {
  const windowMs = 300
  const { gateways } = await twoGateways(t, [aRoute({ rateLimit: { ...rateLimit, max: 2, windowMs } })])
  for (const gateway of gateways) {
    const answers = async (status: number) => (await ask(gateway, '/api/preview')).statusCode === status
    // On a busy machine a window may end before its limit is used up.
    await until(() => answers(429))
    await until(() => answers(200))
  }
})

test('sets the expiry of a count that has none in Redis', async t => {
  const { redis, gateways } = await twoGateways(t)
  await redis.run(client => client.set('gateway:limit:test 203.0.113.9', '7'))
  const answer = await ask(gateways[0], '/api/preview')
  assert.equal(answer.headers['ratelimit-remaining'], String(100 - 8))
  assert.ok((await redis.run(client => client.pttl('gateway:limit:test 203.0.113.9'))) > 0)
})

test('continues from the last counts when Redis is killed, and counts together again soon after its return', async t => {
  const { start, server, redis, gateways, upstream } = await twoGateways(t)
  assert.deepEqual(await askAtOnce(gateways, '/api/preview', 40), { 200: 40 })
  await server.kill()
  // Some of these requests use the connection while it breaks.
  const without = await askAtOnce(gateways, '/api/preview', 400)
  assert.deepEqual(Object.keys(without).sort(), ['200', '429'])
  // Each gateway allows the limit less the requests that it had seen.
  assert.ok(without[200]! <= 2 * (100 - 30), `${without[200]} passed`)
  assert.ok(without[200]! >= 60)

  await start()
  await until(() => redis.isUp() && gateways.every(({ shared }) => shared.isUp()))
  const before = upstream.received.length
  assert.deepEqual(await askAtOnce(gateways, '/api/preview', 300), { 200: 100, 429: 200 })
  assert.equal(upstream.received.length - before, 100)
  assert.equal(await redis.run(client => client.get('gateway:limit:test 203.0.113.9')), '300')
})

test('answers without error or long wait while Redis hangs', async t => {
  const { server, gateways } = await twoGateways(t)
  await ask(gateways[0], '/api/preview')
  process.kill(server.pid, 'SIGSTOP')
  try {
    const begin = performance.now()
    for (let count = 0; count < 20; count++)
      assert.equal((await ask(gateways[count % 2]!, '/api/preview')).statusCode, 200)
    assert.ok(performance.now() - begin < 4_500, 'less than twenty time-outs of 250 ms')
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
})

test('allows a third of a guarded limit at each gateway while Redis is down, earlier requests included', async t => {
  const { server, gateways } = await twoGateways(t, rows, 'no second gateway')
  const [gateway] = gateways
  for (let count = 0; count < 6; count++) assert.equal((await ask(gateway, '/api/guarded')).statusCode, 200)
  await server.kill()
  await until(() => !gateway.shared.isUp())
  const answers = []
  for (let count = 0; count < 6; count++) answers.push(await ask(gateway, '/api/guarded'))
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 429, 429],
  )
  assert.deepEqual(
    answers.map(({ headers }) => headers['ratelimit-remaining']),
    ['3', '2', '1', '0', '0', '0'],
  )
  assert.ok(Number(answers[5]!.headers['retry-after']) <= 60)
})

interface Counting extends TestGateway {
  readonly shared: SharedRedis
}

/** Starts two gateways behind a proxy that they trust, and one Redis. */
async function twoGateways(t: TestContext, routes: readonly Route[] = rows, alone?: 'no second gateway') {
  const store = await testRedis(t)
  const server = await store.start()
  const upstream = await fakeUpstream(t)
  const open = async (): Promise<Counting> => {
    const shared = await store.connect()
    const env = { TRUSTED_PROXIES: '127.0.0.1' }
    return { ...(await startGateway(t, upstream.url, { routes, env, redis: shared })), shared }
  }
  const first = await open()
  const gateways = [first, ...(alone === undefined ? [await open()] : [])] as const
  return { start: store.start, server, redis: await store.connect(), gateways, upstream }
}

function ask({ app }: TestGateway, url: string) {
  return app.inject({ url, headers: { 'x-forwarded-for': '203.0.113.9' } })
}

/** Sends `count` requests at the same time, in turn to each gateway. Counts the answers by status. */
async function askAtOnce(
  gateways: readonly TestGateway[],
  url: string,
  count: number,
): Promise<Readonly<Record<number, number>>> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => ask(gateways[index % gateways.length]!, url)),
  )
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}
