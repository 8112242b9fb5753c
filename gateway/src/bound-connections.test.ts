import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { boundConnections } from './bound-connections.ts'
import { addressMatcher } from './client-address.ts'
import { aRoute, startGateway, type TestGateway } from './test/gateway.ts'
import { type OpenConnection, openConnection } from './test/slow-client.ts'
import { fakeUpstream } from './test/upstream.ts'

const request = 'GET /api/preview HTTP/1.1\r\nhost: a\r\n\r\n'

async function start(
  t: TestContext,
  { env = {}, ...limits }: { env?: Record<string, string>; connections?: number; keepAliveMs?: number } = {},
) {
  const held: ServerResponse[] = []
  const upstream = await fakeUpstream(t, (request, response) => {
    if (request.url!.includes('held')) held.push(response)
    else response.end('ok')
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()], env, limits })
  return { gateway, held }
}

/** Opens a connection that is idle after one answered request. */
async function idleConnection(t: TestContext, { port }: TestGateway, from: string): Promise<OpenConnection> {
  const connection = await openConnection(t, port, request, { from })
  await until(() => connection.text().endsWith('ok') || connection.isClosed())
  return connection
}

/** Returns whether the connection still answers a request. */
async function answers(connection: OpenConnection): Promise<boolean> {
  const before = connection.text().length
  connection.socket.write(request)
  await until(() => connection.text().length > before || connection.isClosed())
  return !connection.isClosed()
}

test('closes the oldest idle connection of an address over its limit, and of no other address', async t => {
  const { gateway } = await start(t, { env: { MAX_CONNECTIONS_PER_ADDRESS: '3' } })
  const other = await idleConnection(t, gateway, '127.0.0.1')
  const own = []
  for (let index = 0; index < 3; index++) own.push(await idleConnection(t, gateway, '127.0.0.2'))
  // The first is used again. The second has now been idle for the longest time.
  assert.equal(await answers(own[0]!), true)
  const fourth = await idleConnection(t, gateway, '127.0.0.2')
  await until(own[1]!.isClosed)
  for (const connection of [own[0]!, own[2]!, fourth, other]) assert.equal(await answers(connection), true)
})

test('refuses a new connection rather than close one with a request in progress', async t => {
  const { gateway, held } = await start(t, { env: { MAX_CONNECTIONS_PER_ADDRESS: '2' } })
  const waiting = 'GET /api/preview?held HTTP/1.1\r\nhost: a\r\n\r\n'
  const busy = [
    await openConnection(t, gateway.port, waiting, { from: '127.0.0.2' }),
    await openConnection(t, gateway.port, waiting, { from: '127.0.0.2' }),
  ]
  await until(() => held.length === 2)
  const refused = await openConnection(t, gateway.port, request, { from: '127.0.0.2' })
  await until(refused.isClosed)
  assert.equal(refused.text(), '')
  for (const response of held) response.end('done')
  for (const connection of busy) await until(() => connection.text().endsWith('done'))
  assert.equal((await idleConnection(t, gateway, '127.0.0.2')).isClosed(), false)
})

test('counts connections that never sent a byte as idle, so that they block no client', async t => {
  const { gateway } = await start(t, { env: { MAX_CONNECTIONS_PER_ADDRESS: '20' } })
  const silent: OpenConnection[] = []
  for (let index = 0; index < 100; index++) {
    silent.push(await openConnection(t, gateway.port, '', { from: '127.0.0.2' }))
  }
  await until(() => silent.filter(each => each.isClosed()).length === 80)
  assert.equal(
    silent.slice(0, 80).every(each => each.isClosed()),
    true,
  )
  for (const from of ['127.0.0.1', '127.0.0.2']) {
    assert.equal((await idleConnection(t, gateway, from)).text().startsWith('HTTP/1.1 200'), true, from)
  }
})

test('closes the oldest idle connection of all addresses when the server is nearly full', async t => {
  const { gateway, held } = await start(t, { connections: 20 })
  const waiting = 'GET /api/preview?held HTTP/1.1\r\nhost: a\r\n\r\n'
  const busy = await openConnection(t, gateway.port, waiting, { from: '127.0.0.9' })
  await until(() => held.length === 1)
  const idle: OpenConnection[] = []
  for (let index = 0; index < 18; index++) {
    idle.push(await idleConnection(t, gateway, `127.0.0.${2 + (index % 5)}`))
  }
  const more = []
  for (let index = 0; index < 10; index++) more.push(await idleConnection(t, gateway, '127.0.0.1'))
  await until(() => idle.filter(each => each.isClosed()).length === 10)
  assert.deepEqual(
    idle.map(each => each.isClosed()),
    idle.map((_each, index) => index < 10),
  )
  assert.equal(
    more.some(each => each.isClosed()),
    false,
  )
  held[0]!.end('done')
  await until(() => busy.text().endsWith('done'))
})

test('lets a trusted proxy hold any number of connections', async t => {
  const { gateway } = await start(t, {
    env: { MAX_CONNECTIONS_PER_ADDRESS: '2', TRUSTED_PROXIES: '127.0.0.2' },
  })
  const own = []
  for (let index = 0; index < 10; index++) own.push(await idleConnection(t, gateway, '127.0.0.2'))
  for (const connection of own) assert.equal(await answers(connection), true)
})

test('closes idle connections of clients, but none of a trusted proxy and none with a request', async t => {
  const { gateway, held } = await start(t, { env: { TRUSTED_PROXIES: '127.0.0.3' }, keepAliveMs: 100 })
  const proxy = await idleConnection(t, gateway, '127.0.0.3')
  const waiting = 'GET /api/preview?held HTTP/1.1\r\nhost: a\r\n\r\n'
  const busy = await openConnection(t, gateway.port, waiting, { from: '127.0.0.2' })
  const client = await idleConnection(t, gateway, '127.0.0.2')
  const silent = await openConnection(t, gateway.port, '', { from: '127.0.0.2' })
  await until(client.isClosed)
  await until(silent.isClosed)
  // After the same time again, every connection with a time-out has closed.
  await until((await idleConnection(t, gateway, '127.0.0.2')).isClosed)
  assert.equal(busy.isClosed(), false)
  held[0]!.end('done')
  await until(() => busy.text().endsWith('done'))
  assert.equal(await answers(proxy), true)
})

test('by default closes an idle connection of a client after 10 s, and of a trusted proxy after 75 s', async t => {
  const { gateway } = await start(t, { env: { TRUSTED_PROXIES: '127.0.0.3' } })
  const timeouts: number[] = []
  gateway.app.server.prependListener('connection', socket => {
    const set = socket.setTimeout.bind(socket)
    socket.setTimeout = (ms: number, ...rest: []) => {
      timeouts.push(ms)
      return set(ms, ...rest)
    }
  })
  const silent = await openConnection(t, gateway.port, '', { from: '127.0.0.2' })
  await until(() => timeouts.includes(10_000))
  assert.equal(timeouts.at(-1), 10_000)
  assert.equal(silent.isClosed(), false)
  const client = await idleConnection(t, gateway, '127.0.0.2')
  assert.equal(client.isClosed(), false)
  assert.equal(timeouts.at(-1), 10_000)
  // A client that counts the announced time never sends into a closed connection.
  const { headers } = await fetch(`${gateway.url}/healthz`)
  assert.equal(headers.get('keep-alive'), 'timeout=9')
  await idleConnection(t, gateway, '127.0.0.3')
  assert.equal(timeouts.at(-1), 75_000)
})

test('counts the connections of an IPv6 /64 as those of one client', () => {
  const server = new EventEmitter()
  const limits = { isTrusted: () => false, most: 10_000, mostPerClient: 2, idleMs: 10_000 }
  boundConnections(server as Server, limits)
  const closed: string[] = []
  for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '2001:db8::ffff:0:0:3']) {
    const destroy = () => closed.push(remoteAddress)
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy, setTimeout() {} }))
  }
  assert.deepEqual(closed, ['2001:db8::1'])
})

test('accepts 10,000 connections by default', async t => {
  const { gateway } = await start(t)
  assert.equal(gateway.app.server.maxConnections, 10_000)
})

test('finds an address in a network in every spelling', () => {
  const isTrusted = addressMatcher(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '2001:db8::1'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd12::9', '2001:db8::1']) {
    assert.equal(isTrusted(address), true, address)
  }
  for (const address of [
    '11.0.0.1',
    '::ffff:11.0.0.1',
    '192.0.2.8',
    'fe80::1',
    '2001:db8::2',
    '',
    'nonsense',
  ]) {
    assert.equal(isTrusted(address), false, address)
  }
  assert.equal(addressMatcher([])('127.0.0.1'), false)
})
