import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { demoApp, rawExchange } from './test/app.ts'

const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`

test('sends the request id, nosniff and the headers of the process with every answer', async t => {
  const { app, listen } = demoApp(t, { headers: { 'x-frame-options': 'DENY' } })
  app.get('/', async () => 'ok')
  const port = await listen()
  for (const [bytes, status] of [
    [request('/'), 200],
    [request('/none'), 404],
    [request('/%zz'), 400],
    ['nonsense\r\n\r\n', 400],
    [request('/', `x: ${'x'.repeat(20_000)}\r\n`), 431],
  ] as const) {
    const text = await rawExchange(port, bytes, received => received.includes('\r\n\r\n'))
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `))
    for (const header of [
      /^x-request-id: [\w-]{8,64}$/m,
      /^x-content-type-options: nosniff$/m,
      /^x-frame-options: DENY$/m,
    ])
      assert.match(text, header)
  }
})

test('answers refusals of parser and router with problem documents that have the id of their header', async t => {
  const { listen } = demoApp(t, { headersTimeoutMs: 1_000 })
  const port = await listen()
  for (const [bytes, status, code] of [
    ['nonsense\r\n\r\n', 400, 'demo.bad_request'],
    [request('/', `x: ${'x'.repeat(20_000)}\r\n`), 431, 'demo.headers_too_large'],
    ['GET / HTTP/1.1\r\nhost: a\r\n', 408, 'demo.request_timeout'],
    [request('/%zz', 'connection: close\r\n'), 400, 'demo.bad_request'],
  ] as const) {
    const text = await rawExchange(port, bytes)
    const [head, body] = text.split('\r\n\r\n')
    assert.match(head!, /^content-type: application\/problem\+json$/m)
    assert.match(head!, /^cache-control: no-store$/m)
    const problem = JSON.parse(body!)
    assert.equal(problem.status, status)
    assert.equal(problem.code, code)
    assert.ok(head!.includes(`x-request-id: ${problem.request_id}`))
  }
})

for (const [sent, kept] of [
  ['page-0001', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['short', false],
  ['with space', false],
  ['line\u2028break', false],
  ['', false],
] as const) {
  test(`${kept ? 'accepts' : 'replaces'} the request id "${sent.slice(0, 12)}"`, async t => {
    const { app } = demoApp(t)
    app.get('/', async ({ id }) => id)
    const answer = await app.inject({ url: '/', headers: { 'x-request-id': sent } })
    assert.equal(answer.headers['x-request-id'], answer.body)
    assert.equal(answer.body === sent, kept)
    assert.match(answer.body, /^[\w-]{8,64}$/)
  })
}

test('creates different ids for two requests without one', async t => {
  const { app } = demoApp(t)
  app.get('/', async ({ id }) => id)
  assert.notEqual((await app.inject('/')).body, (await app.inject('/')).body)
})

test('trusts X-Forwarded-For from trusted proxies only, and only as far as they reach', async t => {
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }
  for (const [trustProxy, address] of [
    [undefined, '127.0.0.1'],
    [[], '127.0.0.1'],
    [['127.0.0.1'], '203.0.113.9'],
    [['127.0.0.1', '203.0.113.0/24'], '198.51.100.1'],
  ] as const) {
    const { app } = demoApp(t, trustProxy === undefined ? {} : { trustProxy })
    app.get('/', async ({ ip }) => ip)
    assert.equal((await app.inject({ url: '/', headers: forwarded })).body, address)
  }
})

for (const [what, path] of [
  ['has not begun', '/slow'],
  ['has begun', '/streamed'],
] as const) {
  test(`finishes an answer that ${what} when the drain does, then closes its connection`, async t => {
    const { app, listen } = demoApp(t)
    const entered = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    app.get('/slow', async () => {
      entered.resolve()
      await leave.promise
      return 'done'
    })
    app.get('/streamed', async (_request, reply) => {
      const body = new PassThrough()
      body.write('first')
      leave.promise.then(() => body.end('done'))
      reply.send(body)
      return reply
    })
    const port = await listen()
    const answer = rawExchange(port, request(path), text => {
      if (text.includes('first')) entered.resolve()
      return false
    })
    await entered.promise
    const closed = app.close()
    leave.resolve()
    assert.match(await answer, /done/)
    await closed
    await assert.rejects(once(connect({ port, host: '127.0.0.1' }), 'connect'), { code: 'ECONNREFUSED' })
  })
}

test('ends without waiting for an idle connection', async t => {
  const { app, listen } = demoApp(t)
  app.get('/', async () => 'ok')
  const port = await listen()
  const idle = connect({ port, host: '127.0.0.1' })
  idle.write(request('/'))
  await once(idle, 'data')
  const ended = once(idle, 'close')
  await app.close()
  idle.resume()
  await ended
})

test('sends an early answer to a client that goes on sending, and leaves the connection open', async t => {
  const { app, listen } = demoApp(t, { bodyLimit: 10 })
  app.post('/', async () => 'ok')
  app.get('/', async () => 'next')
  const port = await listen()
  const rest = 'x'.repeat(1_000_000)
  const refused = `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: ${rest.length}\r\n\r\n${rest}`
  const text = await rawExchange(port, refused + request('/'), received => received.endsWith('next'))
  assert.match(text, /^HTTP\/1\.1 413 /)
})

test('closes the connection after an early answer if the client asks for it', async t => {
  const { app, listen } = demoApp(t, { bodyLimit: 10 })
  app.post('/', async () => 'ok')
  const port = await listen()
  const socket = connect({ port, host: '127.0.0.1' })
  const failed = new Promise((_resolve, reject) => socket.on('error', reject))
  const length = 40_000_000
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`,
  )
  // It reads nothing until it has sent everything.
  socket.pause()
  await Promise.race([new Promise(resolve => socket.write(Buffer.alloc(length), resolve)), failed])
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.resume()
  await Promise.race([once(socket, 'end'), failed])
  assert.match(text, /^HTTP\/1\.1 413 /)
})

test('cuts off a client that never stops sending, by bytes', async t => {
  const { app, listen } = demoApp(t, { rest: { maxBytes: 1_000_000, maxMs: 60_000 } })
  app.post('/', { onRequest: async (_request, reply) => reply.code(403).send('no') }, async () => 'ok')
  const port = await listen()
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  let sent = 0
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000\r\n\r\n')
  // Not `once`, which would count the reset as a failure.
  const closed = new Promise(resolve => socket.on('close', resolve))
  const piece = Buffer.alloc(64 * 1024)
  const send = () => {
    if (socket.destroyed) return
    sent += piece.length
    socket.write(piece, () => setImmediate(send))
  }
  send()
  socket.resume()
  await closed
  assert.ok(sent < 100_000_000)
})

test('cuts off a client that never stops sending, by time', async t => {
  const { app, listen } = demoApp(t, { rest: { maxBytes: 1_000_000, maxMs: 100 } })
  app.post('/', { onRequest: async (_request, reply) => reply.code(403).send('no') }, async () => 'ok')
  const port = await listen()
  const text = await rawExchange(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n')
  assert.match(text, /^HTTP\/1\.1 403 [\s\S]*no$/)
})

test('cuts off a client that stopped sending, long before its time is over', { timeout: 30_000 }, async t => {
  const { app, listen } = demoApp(t, { rest: { maxBytes: 1_000_000, maxMs: 60_000 } })
  app.post('/', { onRequest: async (_request, reply) => reply.code(403).send('no') }, async () => 'ok')
  const socket = connect({ port: await listen(), host: '127.0.0.1' })
  const closed = once(socket, 'close')
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nsome')
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  await closed
  assert.match(text, /^HTTP\/1\.1 403 /)
})
