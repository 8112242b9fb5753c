import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { until } from '@lapwing/testing/until.ts'
import type { Deps } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { routes, type UpstreamName } from './routes.ts'
import { bearer, fakeIdentity, internalKey } from './test/accounts.ts'
import { aRoute, startGateway, type TestGateway } from './test/gateway.ts'
import { problemOf } from './test/problem-of.ts'
import { rawExchange } from './test/raw-exchange.ts'
import { type OpenConnection, openConnection } from './test/slow-client.ts'
import { type FakeUpstream, fakeUpstream } from './test/upstream.ts'
import { openUpstream } from './upstream.ts'

const KiB = 1024
const long = 600_000

// --- bodies that come slowly ---

for (const framing of ['a stated length', 'chunks'] as const) {
  test(`serves sign-ins, renewals and bootstraps beside 256 slow anonymous bodies with ${framing}`, async t => {
    const { gateway } = await startAll(t, { bodyMs: long })
    const begun = countRequests(gateway)
    const head = headOf('POST', '/sdk/v1/sessions/authenticate')
    const bytes =
      framing === 'chunks'
        ? `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`
        : `${head}content-length: 60\r\n\r\n{`
    const slow = await many(256, () => openConnection(t, gateway.port, bytes, { from: '127.0.0.2' }))
    await until(() => begun() === 256)
    // Another client, and another driver behind the same address.
    for (const from of ['127.0.0.1', '127.0.0.2']) {
      for (const [method, path] of [
        ['POST', '/sdk/v1/passwords/authenticate'],
        ['POST', '/sdk/v1/sessions/authenticate'],
        ['GET', '/sdk/v1/projects/bootstrap/public-token-live-lapwing'],
      ] as const) {
        assert.equal(await statusOf(t, gateway, { method, path, from }), 200, `${path} from ${from}`)
      }
    }
    assert.equal(slow.filter(each => each.isClosed() || each.text() !== '').length, 0)
  })
}

test('serves references and uploads of others beside slow bodies of three accounts', async t => {
  const { gateway } = await startAll(t, { bodyMs: long })
  const begun = countRequests(gateway)
  const rows = [
    ['POST', '/api/v1/upload/complete', 60],
    ['POST', '/api/v1/upload/init', 30],
    ['PATCH', '/api/laps/a-lap', 120],
  ] as const
  let opened = 0
  for (const userId of ['user-slow-1', 'user-slow-2', 'user-slow-3']) {
    for (const [method, path, count] of rows) {
      const head = headOf(method, path, (await bearer({ userId })).authorization)
      await many(count, () =>
        openConnection(t, gateway.port, `${head}content-length: 60\r\n\r\n{`, { from: '127.0.0.2' }),
      )
      opened += count
    }
  }
  await until(() => begun() === opened)
  const { authorization } = await bearer({ userId: 'user-quick' })
  for (const [method, path] of [...rows, ['GET', '/api/laps/a-lap/reference'] as const]) {
    assert.equal(await statusOf(t, gateway, { method, path, authorization }), 200, path)
  }
})

test('answers 408 in the shape of its protocol to a late body, and does not call the service', async t => {
  const { gateway, behind } = await startAll(t, { bodyMs: 100 })
  const { authorization } = await bearer()
  const answerOf = async (head: string, body: string) => {
    const { text } = await rawExchange(gateway.port, `${head}${body}`)
    const [top = '', content = ''] = text.split('\r\n\r\n')
    return { status: Number(/HTTP\/1\.1 (\d+)/.exec(top)?.[1]), content: JSON.parse(content) }
  }
  const drip = 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n'
  for (const body of ['content-length: 60\r\n\r\n{', drip]) {
    const product = await answerOf(headOf('POST', '/api/v1/upload/init', authorization), body)
    assert.deepEqual([product.status, product.content.code], [408, 'gateway.request_timeout'])
    const signIn = await answerOf(headOf('POST', '/sdk/v1/passwords/authenticate'), body)
    assert.deepEqual([signIn.status, signIn.content.error_type], [408, 'bad_request'])
  }
  assert.equal(behind.received.length, 0)
})

test('by default waits 5 s for a body', async t => {
  const { gateway, behind } = await startAll(t)
  const timers = t.mock.method(globalThis, 'setTimeout')
  const slow = await openConnection(
    t,
    gateway.port,
    `${headOf('POST', '/sdk/v1/passwords/authenticate')}content-length: 60\r\n\r\n{`,
  )
  const ofBody = () => timers.mock.calls.find(call => call.stack.stack?.includes('readBody'))
  await until(() => ofBody() !== undefined)
  const [end, ms] = ofBody()!.arguments
  assert.equal(ms, 5_000)
  ;(end as () => void)()
  await until(() => slow.text().startsWith('HTTP/1.1 408 '))
  assert.equal(behind.received.length, 0)
})

test('closes a connection whose client goes on sending too slowly', async t => {
  const { gateway } = await startAll(t, { bodyMs: 50 })
  const head = headOf('POST', '/sdk/v1/passwords/authenticate')
  const slow = await openConnection(t, gateway.port, `${head}content-length: 60\r\n\r\n{`)
  await until(slow.isClosed)
  assert.match(slow.text(), /^HTTP\/1\.1 408 /)
})

test('ends a body at its stated length', async t => {
  const { gateway, behind } = await startAll(t)
  const head = headOf('POST', '/sdk/v1/passwords/authenticate')
  const bytes = `${head}content-length: 2\r\n\r\n{}{"more":1}\r\n\r\n`
  const { statuses, closed } = await rawExchange(gateway.port, bytes, { until: () => false })
  assert.deepEqual(statuses, [200])
  assert.equal(closed, true)
  assert.deepEqual(
    behind.received.map(({ body }) => body.toString()),
    ['{}'],
  )
})

for (const how of ['half-closes', 'leaves'] as const) {
  test(`sends no request for a client that ${how} before the end of its body, and frees its room`, async t => {
    const { gateway, behind } = await startAll(t, { bodyMs: long, bodyBytesPerClient: 100 * KiB })
    const head = headOf('POST', '/sdk/v1/passwords/strength_check')
    const part = 'x'.repeat(80 * KiB)
    const begun = countRequests(gateway)
    for (let round = 1; round <= 3; round++) {
      const { socket } = await openConnection(t, gateway.port, `${head}content-length: 100000\r\n\r\n${part}`)
      await until(() => begun() === round)
      if (how === 'half-closes') socket.end()
      else socket.destroy()
      await until(async () => (await connectionsOf(gateway)) === 0)
    }
    assert.equal(behind.received.length, 0)
    const status = await statusOf(t, gateway, {
      method: 'POST',
      path: '/sdk/v1/passwords/strength_check',
      body: part,
    })
    assert.equal(status, 200)
    assert.deepEqual(
      gateway.logs.filter(({ level }) => level !== 'info'),
      [],
    )
  })
}

test('answers "100 Continue" to a client that waits to send its body', async t => {
  const { gateway, behind } = await startAll(t)
  const head = headOf('POST', '/sdk/v1/passwords/authenticate')
  const client = await openConnection(
    t,
    gateway.port,
    `${head}expect: 100-continue\r\ncontent-length: 2\r\n\r\n`,
  )
  await until(() => client.text().startsWith('HTTP/1.1 100 '))
  assert.equal(behind.received.length, 0)
  client.socket.write('{}')
  await until(() => client.text().includes('HTTP/1.1 200 '))
  assert.equal(behind.received[0]!.body.toString(), '{}')
})

test('answers pipelined requests in order, each with its own body', async t => {
  const { gateway, behind } = await startAll(t)
  const one = (body: string) =>
    `${headOf('POST', '/sdk/v1/sessions/authenticate')}content-length: ${body.length}\r\n\r\n${body}`
  const bodies = ['{"a":1}', '{"b":22}', '', '{"c":333}']
  const { statuses } = await rawExchange(gateway.port, bodies.map(one).join(''), {
    until: text => text.split('HTTP/1.1 200').length > bodies.length,
  })
  assert.deepEqual(statuses, [200, 200, 200, 200])
  assert.deepEqual(behind.received.map(({ body }) => body.toString()).sort(), [...bodies].sort())
})

test('limits one connection with many requests to its share of a route', async t => {
  const held: ServerResponse[] = []
  const { gateway } = await startAll(t, {}, (request, response) => {
    if (request.url!.endsWith('slow')) held.push(response)
    else response.end('ok')
  })
  const request = `GET /sdk/v1/slow HTTP/1.1\r\nhost: a\r\n\r\n`
  const begun = countRequests(gateway)
  await openConnection(t, gateway.port, request.repeat(250), { from: '127.0.0.2' })
  await until(() => begun() === 250 && held.length === 32)
  assert.equal(await statusOf(t, gateway, { method: 'GET', path: '/sdk/v1/users/me' }), 200)
  assert.equal(held.length, 32)
})

// --- bodies as they arrive ---

for (const [what, type, body] of [
  ['JSON', 'application/json', '{"a": "ü"}'],
  ['JSON that is none', 'application/json', '{"a": '],
  ['bytes', 'application/octet-stream', '\u0000\u0001ÿ'],
  ['no bytes', 'application/json', ''],
] as const) {
  for (const framing of ['a stated length', 'chunks'] as const) {
    test(`forwards a body of ${what} with ${framing} unchanged, with its length`, async t => {
      const upstream = await fakeUpstream(t)
      const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ body: 'whole' })] })
      const bytes = Buffer.from(body)
      const pieces = [bytes.subarray(0, 3), bytes.subarray(3)].filter(({ length }) => length > 0)
      const response = await fetch(`${gateway.url}/api/preview`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: framing === 'chunks' ? new Blob(pieces).stream() : bytes,
        duplex: 'half',
      } as RequestInit)
      assert.equal(response.status, 200)
      const [received] = upstream.received
      assert.deepEqual(received!.body, bytes)
      assert.equal(received!.headers['content-type'], type)
      assert.equal(received!.headers['content-length'], String(bytes.length))
      assert.equal(received!.headers['transfer-encoding'], undefined)
    })
  }
}

for (const method of ['POST', 'PUT', 'DELETE'] as const) {
  test(`forwards ${method} with a body of the limit, and answers 413 for one byte more without the service`, async t => {
    const upstream = await fakeUpstream(t)
    const routes = [aRoute({ body: 'whole', bodyLimit: 100 * KiB })]
    const gateway = await startGateway(t, upstream.url, { routes })
    for (const [size, status] of [
      [100 * KiB, 200],
      [100 * KiB + 1, 413],
    ] as const) {
      const response = await fetch(`${gateway.url}/api/preview`, {
        method,
        body: new Blob([Buffer.alloc(size, 7)]).stream(),
        duplex: 'half',
      } as RequestInit)
      assert.equal(response.status, status)
    }
    assert.deepEqual(
      upstream.received.map(({ body }) => body.length),
      [100 * KiB],
    )
  })
}

test('bounds the bodies in memory for one client and for all, and always accepts small ones', async t => {
  const { gateway } = await startAll(t, {
    bodyMs: long,
    bodyBytes: 1_000 * KiB,
    bodyBytesPerClient: 600 * KiB,
  })
  const path = '/sdk/v1/passwords/strength_check'
  const begun = countRequests(gateway)
  const hold = (from: string) =>
    openConnection(
      t,
      gateway.port,
      `${headOf('POST', path)}content-length: 500000\r\n\r\n${'x'.repeat(400 * KiB)}`,
      { from },
    )
  const first = await hold('127.0.0.2')
  const ask = (from: string, size: number) =>
    statusOf(t, gateway, { method: 'POST', path, from, body: 'x'.repeat(size) })
  await until(() => begun() === 1)
  await until(async () => (await ask('127.0.0.2', 250 * KiB)) === 429)
  assert.equal(await ask('127.0.0.1', 250 * KiB), 200)
  await hold('127.0.0.3')
  await until(async () => (await ask('127.0.0.1', 250 * KiB)) === 503)
  assert.equal(await ask('127.0.0.1', 4 * KiB), 200)
  assert.equal(await ask('127.0.0.2', 4 * KiB), 200)
  first.socket.destroy()
  await until(async () => (await ask('127.0.0.1', 250 * KiB)) === 200)
})

// --- shares ---

test('leaves most slots of every route to other clients', () => {
  const shares: Readonly<Record<string, number>> = { '/v1/preview': 2, '/laps/ingest-best-from-session': 4 }
  for (const { prefix, concurrency, share = concurrency } of routes) {
    assert.equal(share, concurrency / (shares[prefix] ?? 8), prefix)
  }
})

test('limits an account to its share of a route from all addresses, and an address to twice as much', async t => {
  const held: ServerResponse[] = []
  const { gateway } = await startAll(t, {}, (_request, response) => held.push(response))
  const request = async (userId: string, from: string) => {
    const { authorization } = await bearer({ userId })
    return openConnection(
      t,
      gateway.port,
      `${headOf('GET', '/api/laps/a-lap/reference', authorization)}connection: close\r\n\r\n`,
      { from },
    )
  }
  const statusAfter = async (connection: OpenConnection) => {
    await until(() => connection.text() !== '')
    return connection.text().slice(9, 12)
  }
  for (let index = 0; index < 16; index++) await request('user-a', `127.0.0.${2 + (index % 2)}`)
  await until(() => held.length === 16)
  const over = await request('user-a', '127.0.0.9')
  assert.equal(await statusAfter(over), '429')
  assert.match(over.text(), /Many of your requests are still running\. Please let some of them finish\./)
  for (let index = 0; index < 16; index++) await request('user-b', '127.0.0.4')
  for (let index = 0; index < 16; index++) await request('user-c', '127.0.0.4')
  await until(() => held.length === 48)
  assert.equal(await statusAfter(await request('user-d', '127.0.0.4')), '429')
  await request('user-d', '127.0.0.5')
  await until(() => held.length === 49)
  // An answer that ends frees its slot.
  held[0]!.end('ok')
  await until(async () => {
    const again = await request('user-a', '127.0.0.9')
    await until(() => again.text() !== '' || held.length === 50)
    return held.length === 50
  })
})

test('counts the requests of an IPv6 /64 as those of one client', async t => {
  const held: ServerResponse[] = []
  const upstream = await fakeUpstream(t, (_request, response) => held.push(response))
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ share: 2 })] })
  const ask = (remoteAddress: string) => gateway.app.inject({ url: '/api/preview', remoteAddress })
  void ask('2001:db8::1')
  void ask('2001:db8::2')
  await until(() => held.length === 2)
  assert.equal((await ask('2001:db8::ffff:0:0:3')).statusCode, 429)
  void ask('2001:db8:0:1::1')
  await until(() => held.length === 3)
})

test('answers a client over its share with an error of the contract', async t => {
  const { gateway } = await startAll(t, {}, () => {})
  const { app } = gateway
  for (let index = 0; index < 32; index++) {
    void app.inject({ url: '/api/leaderboards', headers: await bearer({ userId: `user-${index}` }) })
  }
  const headers = await bearer({ userId: 'user-last' })
  await until(async () => {
    const answer = app.inject({ url: '/api/leaderboards', headers })
    const first = await Promise.race([answer, new Promise<null>(resolve => setTimeout(resolve, 50, null))])
    if (first === null) return false
    assert.equal(problemOf(first).code, 'gateway.rate_limited')
    assert.equal(first.headers['retry-after'], '1')
    return true
  })
})

// --- answers that are read slowly ---

test('serves references of others beside endless answers of three accounts', async t => {
  let held = 0
  const { gateway } = await startAll(t, {}, (request, response) => {
    if (request.url!.includes('slow')) {
      held += 1
      response.write('first')
    } else {
      response.end('ok')
    }
  })
  for (const [index, userId] of ['user-slow-1', 'user-slow-2', 'user-slow-3'].entries()) {
    const head = headOf('GET', '/api/laps/slow/reference', (await bearer({ userId })).authorization)
    const from = `127.0.0.${2 + index}`
    await many(20, () => openConnection(t, gateway.port, `${head}\r\n`, { from, readsNothing: true }))
  }
  await until(() => held === 48)
  const { authorization } = await bearer({ userId: 'user-quick' })
  const ask = { method: 'GET', path: '/api/laps/a-lap/reference', authorization }
  assert.equal(await statusOf(t, gateway, ask), 200)
  assert.equal(held, 48)
})

test('cuts an answer that its client does not read, and ends it at the service', async t => {
  const content = Buffer.alloc(64 * 1024 * KiB, 'x')
  const closed = Promise.withResolvers<boolean>()
  const { gateway } = await startAll(t, { unreadMs: 200 }, (_request, response) => {
    response.on('close', () => closed.resolve(response.writableFinished))
    response.end(content)
  })
  await openConnection(t, gateway.port, 'GET /sdk/v1/large HTTP/1.1\r\nhost: a\r\n\r\n', {
    readsNothing: true,
  })
  assert.equal(await closed.promise, false)
  await until(async () => (await connectionsOf(gateway)) === 0)
})

test('by default cuts a client that leaves its answer unread for 30 s', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { gateway } = await startAll(t, {}, (_request, response) =>
    response.end(Buffer.alloc(64 * 1024 * KiB, 'x')),
  )
  const sockets: Socket[] = []
  gateway.app.server.on('connection', socket => sockets.push(socket))
  const head = 'GET /sdk/v1/large HTTP/1.1\r\nhost: a\r\n\r\n'
  await openConnection(t, gateway.port, head, { readsNothing: true })
  await until(() => (sockets[0]?.writableLength ?? 0) > 0)
  for (let second = 0; second < 30; second++) t.mock.timers.tick(1_000)
  assert.equal(sockets[0]!.destroyed, false)
  t.mock.timers.tick(1_000)
  assert.equal(sockets[0]!.destroyed, true)
})

// --- helpers ---

/** Starts the gateway with the production table, in front of one service that replaces all of them. */
async function startAll(
  t: TestContext,
  limits: Deps['limits'] = {},
  answer?: Parameters<typeof fakeUpstream>[1],
): Promise<{ gateway: TestGateway; behind: FakeUpstream }> {
  const behind = await fakeUpstream(t, answer)
  const env = {
    ACCOUNT_URL: behind.url.href,
    IDENTITY_URL: (await fakeIdentity(t)).url.href,
    INTERNAL_KEY: internalKey,
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
  }
  const { findPrincipal, close } = createDeps(loadConfig(env), createLogger('gateway', 'silent'))
  t.after(close)
  const names: UpstreamName[] = ['account', 'identity', 'upload', 'ingest', 'leaderboard']
  const upstreams = Object.fromEntries(
    names.map(name => [name, openUpstream(name, behind.url, { connections: 384 })]),
  )
  t.after(() => Promise.all(Object.values(upstreams).map(upstream => upstream.close())))
  const gateway = await startGateway(t, behind.url, { env, upstreams, findPrincipal, limits })
  return { gateway, behind }
}

function headOf(method: string, path: string, authorization?: string): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'host: a',
    'content-type: application/json',
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    '',
  ].join('\r\n')
}

interface Ask {
  readonly method: string
  readonly path: string
  readonly from?: string
  readonly authorization?: string
  readonly body?: string
}

/** Returns the status of one request on a connection of its own. */
async function statusOf(t: TestContext, { port }: TestGateway, ask: Ask): Promise<number> {
  const { method, path, from = '127.0.0.1', authorization, body = method === 'GET' ? '' : '{}' } = ask
  const length = method === 'GET' ? '' : `content-length: ${body.length}\r\n`
  const head = `${headOf(method, path, authorization)}connection: close\r\n${length}\r\n`
  const connection = await openConnection(t, port, `${head}${body}`, { from })
  await until(() => connection.text().includes('\r\n\r\n'))
  return Number(connection.text().slice(9, 12))
}

/** Counts the requests whose headers have arrived. */
function countRequests({ app }: TestGateway): () => number {
  let count = 0
  app.server.on('request', () => {
    count += 1
  })
  return () => count
}

async function connectionsOf({ app }: TestGateway): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

function many<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make))
}
