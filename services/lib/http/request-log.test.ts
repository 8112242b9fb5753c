import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApp, rawExchange } from './test/app.ts'

test('logs one line for each request, with the pattern of its route, and neither URL nor client', async t => {
  const { app, logs } = demoApp(t)
  app.get('/laps/:lapId', async () => 'ok')
  await app.inject({
    url: '/laps/canary?token=canary',
    remoteAddress: '203.0.113.77',
    headers: {
      'x-request-id': 'page-0001',
      'user-agent': 'canary',
      authorization: 'canary',
      cookie: 'canary',
    },
  })
  const [{ time, duration_ms, ...line } = {}, ...others] = logs
  assert.deepEqual(line, {
    level: 'info',
    service: 'demo',
    request_id: 'page-0001',
    method: 'GET',
    route: '/laps/:lapId',
    status: 200,
    msg: 'request',
  })
  assert.ok(typeof duration_ms === 'number' && duration_ms >= 0)
  assert.ok(!Number.isNaN(Date.parse(String(time))))
  assert.deepEqual(others, [])
  assert.doesNotMatch(JSON.stringify(logs), /canary|203\.0\.113/)
})

test('logs what a page reports about itself (D-14), if it is short and plain', async t => {
  const { app, logs } = demoApp(t)
  app.get('/', async () => 'ok')
  for (const version of ['1.0.0', 'x'.repeat(33), '1.0 "canary"', ''])
    await app.inject({
      url: '/',
      headers: { 'x-client-version': version, 'x-requested-with': 'XMLHttpRequest' },
    })
  assert.deepEqual(
    logs.map(({ client_version, requested_with }) => [client_version, requested_with]),
    ['1.0.0', undefined, undefined, undefined].map(version => [version, 'XMLHttpRequest']),
  )
})

test('logs unknown and unreadable URLs without the URL', async t => {
  const { logs, listen } = demoApp(t)
  const port = await listen()
  const before = logs.length
  for (const path of ['/canary', '/%zzcanary'])
    await rawExchange(port, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  assert.deepEqual(
    logs.slice(before).map(({ route, status, msg }) => ({ route, status, msg })),
    [
      { route: 'none', status: 404, msg: 'request' },
      { route: 'none', status: 400, msg: 'request' },
    ],
  )
  assert.doesNotMatch(JSON.stringify(logs), /canary/)
})

test('logs one line for a client that leaves before its answer, and says so', async t => {
  const { app, logs, listen } = demoApp(t)
  const entered = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  app.get('/', async (_request, reply) => {
    reply.raw.once('close', left.resolve)
    entered.resolve()
    await left.promise
    return 'too late'
  })
  const port = await listen()
  const before = logs.length
  const client = new AbortController()
  const answer = fetch(`http://127.0.0.1:${port}/`, { signal: client.signal })
  await entered.promise
  client.abort()
  await assert.rejects(answer)
  await left.promise
  await new Promise(setImmediate)
  assert.deepEqual(
    logs.slice(before).map(({ level, status, aborted }) => ({ level, status, aborted })),
    [{ level: 'info', status: null, aborted: true }],
  )
})

test('logs how far an answer came that ends early', async t => {
  const { app, logs, listen } = demoApp(t)
  const { Readable } = await import('node:stream')
  app.get('/', async (_request, reply) => {
    const body = new Readable({ read() {} })
    body.push('first')
    setImmediate(() => body.destroy(new Error('the disk is gone')))
    return reply.send(body)
  })
  const port = await listen()
  const before = logs.length
  await rawExchange(port, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const lines = logs.slice(before)
  assert.deepEqual(lines.map(({ level, msg }) => [level, msg]).sort(), [
    ['info', 'request'],
    ['warn', 'the answer ended before it was complete'],
  ])
  assert.equal(lines.find(({ msg }) => msg === 'request')!.aborted, true)
})

test('logs lines from the configured level on', async t => {
  const { app, logs } = demoApp(t)
  app.get('/quiet', { logLevel: 'warn' }, async () => 'ok')
  await app.inject('/quiet')
  assert.deepEqual(logs, [])
})
