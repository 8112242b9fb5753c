import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Pool } from 'undici'
import type { Route } from './routes.ts'
import { aRoute, startGateway } from './test/gateway.ts'
import { problemOf, problemOfResponse } from './test/problem-of.ts'
import { rawExchange } from './test/raw-exchange.ts'
import { closedPort, fakeUpstream } from './test/upstream.ts'

const KiB = 1024
const MiB = 1024 * KiB

// --- addresses and methods ---

for (const [sent, received] of [
  ['/api/preview', '/api/preview'],
  ['/api/v1/preview', '/api/v1/preview'],
  ['/api/preview/', '/api/preview'],
  ['/api/%70review', '/api/preview'],
  ['/api/preview?a=1&b=%2F&c=%zz', '/api/preview?a=1&b=%2F&c=%zz'],
  ['/api/preview?x=http://evil.example/..//', '/api/preview?x=http://evil.example/..//'],
] as const) {
  test(`forwards ${sent} as ${received}`, async t => {
    const upstream = await fakeUpstream(t)
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    const answer = await rawExchange(gateway.port, `GET ${sent} HTTP/1.1\r\nhost: a\r\n\r\n`)
    assert.equal(answer.status, 200)
    assert.equal(upstream.received[0]!.url, received)
  })
}

test('forwards what is below a route with /*, and nothing else', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ prefix: '/leaderboards/*' })] })
  for (const path of ['/api/leaderboards/7/me?window=3', '/api/v1/leaderboards/7/me'])
    assert.equal((await fetch(`${gateway.url}${path}`)).status, 200)
  assert.deepEqual(
    upstream.received.map(({ url }) => url),
    ['/api/leaderboards/7/me?window=3', '/api/v1/leaderboards/7/me'],
  )
  assert.equal((await fetch(`${gateway.url}/api/leaderboard`)).status, 404)
})

test('answers 401 on a signed-in route if there are no accounts', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ access: 'signed-in' })] })
  const response = await fetch(`${gateway.url}/api/preview`, {
    headers: { authorization: 'Bearer anything', 'x-lapwing-user': 'mallory' },
  })
  assert.equal((await problemOfResponse(response)).code, 'gateway.unauthorized')
  assert.equal(upstream.received.length, 0)
})

test('answers 405 with Allow for a method that is not in the table', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ methods: ['POST'] })] })
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const response = await fetch(`${gateway.url}/api/v1/preview`, { method })
    assert.equal(response.status, 405, method)
    assert.equal(response.headers.get('allow'), 'POST')
  }
  assert.equal(upstream.received.length, 0)
})

test('answers 415 for a content type that cannot be read', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const response = await fetch(`${gateway.url}/api/preview`, {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'nonsense' },
  })
  assert.equal((await problemOfResponse(response)).code, 'gateway.unsupported_media_type')
})

// --- bodies stream ---

test('streams 100 MB, and the client cannot send while the service does not read', async t => {
  const size = 100 * MiB
  let arrived = 0
  const reading = Promise.withResolvers<void>()
  const upstream = await fakeUpstream(t, async (request, response) => {
    await reading.promise
    for await (const chunk of request) arrived += (chunk as Buffer).length
    response.end('ok')
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: size })] })
  const client = httpRequest(`${gateway.url}/api/preview`, {
    method: 'POST',
    headers: { 'content-length': size },
  })
  const answered = once(client, 'response') as Promise<[IncomingMessage]>
  const piece = Buffer.alloc(256 * KiB, 1)
  let sent = 0
  const sending = (async () => {
    while (sent < size) {
      sent += piece.length
      if (!client.write(piece)) await once(client, 'drain')
    }
    client.end()
  })()
  const held = await whenStill(() => sent)
  // The socket buffers of two kernels and the streams between them. A gateway that held bodies would read
  // all.
  assert.ok(held > 0 && held < 40 * MiB, `${held / MiB} MiB left the client`)
  reading.resolve()
  await sending
  const [response] = await answered
  assert.equal(response.statusCode, 200)
  response.resume()
  assert.equal(arrived, size)
})

test('does not let the service send while the client does not read', async t => {
  const size = 100 * MiB
  let sent = 0
  const upstream = await fakeUpstream(t, async (_request, response) => {
    const piece = Buffer.alloc(256 * KiB, 1)
    while (sent < size) {
      sent += piece.length
      if (!response.write(piece)) await once(response, 'drain')
    }
    response.end()
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const client = httpRequest(`${gateway.url}/api/preview`)
  client.end()
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  const held = await whenStill(() => sent)
  assert.ok(held > 0 && held < 40 * MiB, `${held / MiB} MiB left the service`)
  let arrived = 0
  for await (const chunk of response) arrived += (chunk as Buffer).length
  assert.equal(arrived, size)
})

for (const [what, headers] of [
  ['an answer', {}],
  ['a small answer of stated length', { 'content-type': 'text/plain', 'content-length': 9 }],
] as const) {
  test(`streams ${what}: its first piece arrives before its last is written`, async t => {
    let finish: () => void = () => {}
    const upstream = await fakeUpstream(t, (_request, response) => {
      response.writeHead(200, headers)
      response.write('first')
      finish = () => response.end('last')
    })
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    const reader = (await fetch(`${gateway.url}/api/preview`)).body!.getReader()
    assert.equal(Buffer.from((await reader.read()).value!).toString(), 'first')
    finish()
    assert.equal(Buffer.from((await reader.read()).value!).toString(), 'last')
    assert.equal((await reader.read()).done, true)
  })
}

for (const type of ['application/json', null]) {
  test(`passes a small answer unchanged (content type ${type})`, async t => {
    const body = Buffer.from([0, 1, 255, 128])
    const upstream = await fakeUpstream(t, (_request, response) => {
      if (type !== null) response.setHeader('content-type', type)
      response.setHeader('content-length', body.length)
      response.end(body)
    })
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    const response = await fetch(`${gateway.url}/api/preview`)
    assert.equal(response.headers.get('content-type'), type)
    assert.equal(response.headers.get('content-length'), String(body.length))
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), body)
  })
}

test('streams a body: the service has its first piece before the last is sent', async t => {
  let arrived: (text: string) => void = () => {}
  const first = new Promise<string>(resolve => {
    arrived = resolve
  })
  const upstream = await fakeUpstream(t, (request, response) => {
    request.once('data', chunk => arrived(String(chunk)))
    request.on('end', () => response.end('ok'))
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const client = httpRequest(`${gateway.url}/api/preview`, { method: 'POST' })
  const answered = once(client, 'response') as Promise<[IncomingMessage]>
  client.write('first')
  assert.equal(await first, 'first')
  client.end('last')
  const [response] = await answered
  assert.equal(response.statusCode, 200)
  response.resume()
})

test('passes compressed answers unchanged', async t => {
  const packed = gzipSync('lap '.repeat(1000))
  const upstream = await fakeUpstream(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length })
    response.end(packed)
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const response = await fetch(`${gateway.url}/api/preview`)
  assert.equal(response.headers.get('content-length'), String(packed.length))
  assert.equal(await response.text(), 'lap '.repeat(1000))
})

for (const [method, status] of [
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
  ['POST', 201],
  ['POST', 422],
  ['POST', 500],
] as const) {
  test(`passes ${status} to ${method} unchanged`, async t => {
    const upstream = await fakeUpstream(t, (_request, response) => {
      response.writeHead(status, { etag: '"x"' })
      response.end(method === 'HEAD' || status < 201 || status === 204 || status === 304 ? undefined : 'said')
    })
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    const response = await fetch(`${gateway.url}/api/preview`, { method })
    assert.equal(response.status, status)
    assert.equal(response.headers.get('etag'), '"x"')
    assert.equal(await response.text(), [201, 422, 500].includes(status) ? 'said' : '')
  })
}

test('serves the next requests on the connection of a large body', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: 8 * MiB })] })
  const client = new Pool(gateway.url, { connections: 1, pipelining: 1 })
  t.after(() => client.close())
  let connections = 0
  gateway.app.server.on('connection', () => {
    connections += 1
  })
  for (let round = 0; round < 5; round++) {
    const upload = await client.request({ path: '/api/preview', method: 'POST', body: Buffer.alloc(4 * MiB) })
    assert.equal(await upload.body.text(), 'ok')
    const read = await client.request({ path: '/api/preview', method: 'GET' })
    assert.equal(await read.body.text(), 'ok')
  }
  assert.equal(connections, 1)
  assert.equal(upstream.received.length, 10)
})

// --- body limits ---

for (const how of ['stated', 'unstated'] as const) {
  const send = (gateway: { url: string }, size: number) =>
    new Promise<{ status: number; response: Response }>((resolve, reject) => {
      const body =
        how === 'stated'
          ? Buffer.alloc(size)
          : new ReadableStream({
              pull(controller) {
                if (size > 0) controller.enqueue(new Uint8Array(Math.min(size, 16 * KiB)))
                else controller.close()
                size -= 16 * KiB
              },
            })
      fetch(`${gateway.url}/api/preview`, { method: 'POST', body, duplex: 'half' } as RequestInit).then(
        response => resolve({ status: response.status, response }),
        reject,
      )
    })

  test(`forwards a body of exactly the limit (length ${how})`, async t => {
    const upstream = await fakeUpstream(t)
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: MiB })] })
    assert.equal((await send(gateway, MiB)).status, 200)
    assert.equal(upstream.received[0]!.body.length, MiB)
  })

  test(`answers 413 if the body is one byte over the limit (length ${how})`, async t => {
    const upstream = await fakeUpstream(t)
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: MiB })] })
    const { response } = await send(gateway, MiB + 1)
    assert.equal((await problemOfResponse(response)).code, 'gateway.body_too_large')
  })
}

test('rejects a stated length over the limit before it calls the service', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: 10 })] })
  const answer = await rawExchange(
    gateway.port,
    'POST /api/preview HTTP/1.1\r\nhost: a\r\ncontent-type: a/b\r\ncontent-length: 11\r\n\r\n',
  )
  assert.equal(answer.status, 413)
  assert.equal(upstream.received.length, 0)
})

test('aborts the request to the service when a body grows over the limit', async t => {
  const begun = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<boolean>()
  const upstream = await fakeUpstream(t, request => {
    request.on('data', () => begun.resolve()).on('error', () => {})
    request.on('close', () => cut.resolve(request.complete))
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: 64 * KiB })] })
  const client = httpRequest(`${gateway.url}/api/preview`, { method: 'POST' })
  const answered = once(client, 'response') as Promise<[IncomingMessage]>
  client.write('first')
  await begun.promise
  client.write(Buffer.alloc(64 * KiB))
  const [response] = await answered
  assert.equal(response.statusCode, 413)
  assert.equal(await cut.promise, false)
  assert.deepEqual(
    gateway.logs.filter(({ level }) => level !== 'info'),
    [],
  )
  client.destroy()
})

test('delivers the error to a client that goes on sending, and leaves the connection open', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: KiB })] })
  const rest = 2 * MiB
  const answer = await rawExchange(
    gateway.port,
    Buffer.concat([
      Buffer.from(`POST /api/preview HTTP/1.1\r\nhost: a\r\ncontent-length: ${rest}\r\n\r\n`),
      Buffer.alloc(rest, 'x'),
      Buffer.from('GET /api/preview HTTP/1.1\r\nhost: a\r\n\r\n'),
    ]),
    { until: text => text.endsWith('ok') },
  )
  assert.deepEqual(answer.statuses, [413, 200])
})

test("passes the service's own 413, even before the body has arrived", async t => {
  const upstream = await fakeUpstream(t, (request, response) => {
    request.once('data', () => {
      response.writeHead(413, { 'content-type': 'application/problem+json' })
      response.end('{"code":"preview.too_large"}')
    })
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ bodyLimit: 64 * MiB })] })
  const response = await fetch(`${gateway.url}/api/preview`, { method: 'POST', body: Buffer.alloc(16 * MiB) })
  assert.equal(response.status, 413)
  assert.deepEqual(await response.json(), { code: 'preview.too_large' })
})

// --- clients that leave ---

test('ends the upload at the service when its client leaves', async t => {
  const cut = Promise.withResolvers<boolean>()
  const begun = Promise.withResolvers<void>()
  const upstream = await fakeUpstream(t, request => {
    request.on('data', () => begun.resolve())
    request.on('error', () => {})
    request.on('close', () => cut.resolve(request.complete))
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const client = httpRequest(`${gateway.url}/api/preview`, { method: 'POST' })
  client.on('error', () => {})
  client.write('half')
  await begun.promise
  client.destroy()
  assert.equal(await cut.promise, false)
})

test('ends the work at the service when the waiting client leaves', async t => {
  const arrived = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  const upstream = await fakeUpstream(t, (_request, response) => {
    arrived.resolve()
    response.on('close', () => cut.resolve())
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const client = new AbortController()
  const response = fetch(`${gateway.url}/api/preview`, { signal: client.signal })
  await arrived.promise
  client.abort()
  await assert.rejects(response)
  await cut.promise
})

test('ends the answer at the service when its client leaves', async t => {
  const cut = Promise.withResolvers<boolean>()
  const upstream = await fakeUpstream(t, (_request, response) => {
    response.write('first')
    response.on('close', () => cut.resolve(response.writableFinished))
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const client = new AbortController()
  const response = await fetch(`${gateway.url}/api/preview`, { signal: client.signal })
  await response.body!.getReader().read()
  client.abort()
  assert.equal(await cut.promise, false)
})

test('logs one line and no warning when a client leaves', async t => {
  const arrived = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  const upstream = await fakeUpstream(t, (_request, response) => {
    arrived.resolve()
    response.on('close', () => cut.resolve())
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const client = new AbortController()
  const response = fetch(`${gateway.url}/api/preview`, { signal: client.signal })
  await arrived.promise
  client.abort()
  await assert.rejects(response)
  await cut.promise
  const lines = gateway.logs.filter(line => line.request_id !== undefined)
  assert.deepEqual(
    lines.map(({ level, route, status, aborted }) => ({ level, route, status, aborted })),
    [{ level: 'info', route: '/api/preview', status: null, aborted: true }],
  )
})

for (const framing of ['a stated length', 'chunks'] as const) {
  test(`does not pass an answer that breaks off (${framing}) as a whole one`, async t => {
    const begun = Promise.withResolvers<ServerResponse>()
    const upstream = await fakeUpstream(t, (_request, response) => {
      if (framing === 'a stated length') response.setHeader('content-length', 100)
      response.write('first')
      begun.resolve(response)
    })
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    const response = await fetch(`${gateway.url}/api/preview`)
    const reader = response.body!.getReader()
    assert.equal(Buffer.from((await reader.read()).value!).toString(), 'first')
    ;(await begun.promise).destroy()
    await assert.rejects(reader.read())
  })
}

// --- services that fail ---

test('answers 503 with Retry-After if the service is down', async t => {
  const gateway = await startGateway(t, await closedPort(), { routes: [aRoute()] })
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${gateway.url}/api/preview`, { method })
    assert.equal(response.headers.get('retry-after'), '5')
    assert.equal((await problemOfResponse(response)).code, 'gateway.upstream_unavailable')
  }
})

test('does not show the address of a service that is down', async t => {
  const port = await closedPort()
  const gateway = await startGateway(t, port, { routes: [aRoute()] })
  const text = await (await fetch(`${gateway.url}/api/preview`)).text()
  assert.ok(!text.includes(port.port) && !text.includes('ECONN') && !text.includes('127.0.0.1'))
})

test('answers 504 if the service does not begin its answer in time', async t => {
  const upstream = await fakeUpstream(t, () => {})
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ timeoutMs: 200 })] })
  const response = await fetch(`${gateway.url}/api/preview`)
  assert.equal((await problemOfResponse(response)).code, 'gateway.upstream_timeout')
})

test('cuts an answer that falls silent', async t => {
  const upstream = await fakeUpstream(t, (_request, response) => void response.write('first'))
  // Long enough for the answer to begin on a busy machine.
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ timeoutMs: 1_000 })] })
  const response = await fetch(`${gateway.url}/api/preview`)
  await assert.rejects(response.text())
})

test('lets an upload take longer than the time-out of the answer', async t => {
  const upstream = await fakeUpstream(t)
  const timeoutMs = 1_000
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ timeoutMs })] })
  const client = httpRequest(`${gateway.url}/api/preview`, { method: 'POST' })
  const answered = once(client, 'response') as Promise<[IncomingMessage]>
  const end = performance.now() + 2 * timeoutMs
  while (performance.now() < end) {
    client.write('slow')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  client.end()
  const [response] = await answered
  assert.equal(response.statusCode, 200)
  response.resume()
})

for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
  test(`retries ${method} once if the connection fails`, async t => {
    let tries = 0
    const upstream = await fakeUpstream(t, (request, response) => {
      tries += 1
      if (tries === 1) request.socket.destroy()
      else response.end('ok')
    })
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    assert.equal((await fetch(`${gateway.url}/api/preview`, { method })).status, 200)
    assert.equal(tries, 2)
  })
}

test('does not retry a second time', async t => {
  let tries = 0
  const upstream = await fakeUpstream(t, request => {
    tries += 1
    request.socket.destroy()
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  assert.equal((await fetch(`${gateway.url}/api/preview`)).status, 503)
  assert.equal(tries, 2)
})

test('spends its budget of retries on a service that fails, and then retries one request in ten', async t => {
  let tries = 0
  const upstream = await fakeUpstream(t, request => {
    tries += 1
    request.socket.destroy()
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const get = async () => (await fetch(`${gateway.url}/api/preview`)).status
  const statuses = await Promise.all(Array.from({ length: 200 }, get))
  assert.deepEqual(new Set(statuses), new Set([503]))
  const retries = tries - 200
  assert.ok(retries >= 100 && retries <= 100 + tries / 10, `${retries} retries of ${tries} requests`)
})

for (const [method, body] of [
  ['POST', undefined],
  ['POST', 'x'],
  ['PUT', 'x'],
] as const) {
  test(`never sends ${method} ${body === undefined ? 'without' : 'with'} a body twice`, async t => {
    let tries = 0
    const upstream = await fakeUpstream(t, request => {
      tries += 1
      request.socket.destroy()
    })
    const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
    const response = await fetch(`${gateway.url}/api/preview`, { method, body: body ?? null })
    assert.equal(response.status, 503)
    assert.equal(tries, 1)
  })
}

test('passes an answer of 503 without a retry', async t => {
  let tries = 0
  const upstream = await fakeUpstream(t, (_request, response) => {
    tries += 1
    response.writeHead(503, { 'retry-after': '9' }).end('busy')
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const response = await fetch(`${gateway.url}/api/preview`)
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('retry-after'), '9')
  assert.equal(await response.text(), 'busy')
  assert.equal(tries, 1)
})

for (const [what, bytes] of [
  ['something other than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['a status of 600', 'HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n'],
  ['a status of 999', 'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nok'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nok'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
  ['nothing and closes the connection', ''],
] as const) {
  test(`answers 503 if a service answers ${what}`, async t => {
    const upstream = await tcpServer(t, socket => socket.end(bytes))
    const gateway = await startGateway(t, upstream, { routes: [aRoute()] })
    const response = await fetch(`${gateway.url}/api/preview`, { method: 'POST', body: 'x' })
    assert.equal((await problemOfResponse(response)).code, 'gateway.upstream_unavailable')
  })
}

test('reaches a restarted service without an error for the next request', async t => {
  const first = createServer((_request, response) => response.end('first'))
  await new Promise<void>(resolve => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as AddressInfo
  const gateway = await startGateway(t, new URL(`http://127.0.0.1:${port}`), { routes: [aRoute()] })
  assert.equal(await (await fetch(`${gateway.url}/api/preview`)).text(), 'first')
  first.closeAllConnections()
  await new Promise(resolve => first.close(resolve))
  const second = createServer((_request, response) => response.end('second'))
  await new Promise<void>(resolve => second.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    second.closeAllConnections()
    second.close()
  })
  assert.equal(await (await fetch(`${gateway.url}/api/preview`)).text(), 'second')
})

test('shows the last outcome of a service in /readyz, and stays ready', async t => {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute()] })
  const shown = async () => (await gateway.app.inject('/readyz')).json().upstreams
  assert.deepEqual(await shown(), { preview: 'unknown' })
  await fetch(`${gateway.url}/api/preview`)
  assert.deepEqual(await shown(), { preview: 'up' })
  upstream.server.closeAllConnections()
  await new Promise(resolve => upstream.server.close(resolve))
  await fetch(`${gateway.url}/api/preview`)
  assert.deepEqual(await shown(), { preview: 'down' })
})

// --- concurrency ---

test('answers 503 with Retry-After above the concurrency of a route, until a request ends', async t => {
  const held: ServerResponse[] = []
  const arrivals: (() => void)[] = []
  const upstream = await fakeUpstream(t, (_request, response) => {
    held.push(response)
    arrivals.shift()?.()
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ concurrency: 2 })] })
  const ask = async (path: string) => {
    const reached = new Promise<void>(resolve => arrivals.push(resolve))
    const response = fetch(`${gateway.url}${path}`)
    await reached
    return response
  }
  const first = ask('/api/preview')
  const second = ask('/api/v1/preview')
  await Promise.all([upstreamHas(held, 2)])
  const refused = await fetch(`${gateway.url}/api/preview`)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await problemOfResponse(refused)).code, 'gateway.overloaded')
  held[0]!.end('ok')
  assert.equal((await Promise.race([first, second])).status, 200)
  const third = ask('/api/preview')
  await upstreamHas(held, 3)
  for (const response of held.slice(1)) response.end('ok')
  assert.deepEqual(
    (await Promise.all([first, second, third])).map(({ status }) => status),
    [200, 200, 200],
  )
})

test('frees the slot of a client that leaves', async t => {
  const arrived = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  let wait = true
  const upstream = await fakeUpstream(t, (_request, response) => {
    if (!wait) {
      response.end('ok')
      return
    }
    arrived.resolve()
    response.on('close', () => cut.resolve())
  })
  const gateway = await startGateway(t, upstream.url, { routes: [aRoute({ concurrency: 1 })] })
  const client = new AbortController()
  const left = fetch(`${gateway.url}/api/preview`, { signal: client.signal })
  await arrived.promise
  client.abort()
  await assert.rejects(left)
  await cut.promise
  wait = false
  assert.equal((await fetch(`${gateway.url}/api/preview`)).status, 200)
})

test('holds no slot for a rejected request', async t => {
  const upstream = await fakeUpstream(t)
  const route: Route = aRoute({
    concurrency: 1,
    bodyLimit: 1,
    rateLimit: { budget: 'test', max: 4, windowMs: 60_000 },
  })
  const gateway = await startGateway(t, upstream.url, { routes: [route] })
  const statuses = []
  for (const body of ['xx', 'xx', 'xx', 'x', 'x'])
    statuses.push((await fetch(`${gateway.url}/api/preview`, { method: 'POST', body })).status)
  assert.deepEqual(statuses, [413, 413, 413, 200, 429])
})

test('states the same in the body of an error as in its headers', async t => {
  const gateway = await startGateway(t, await closedPort(), { routes: [aRoute()] })
  const answer = await gateway.app.inject({ url: '/api/preview', headers: { 'x-request-id': 'page-0001' } })
  assert.equal(problemOf(answer).request_id, 'page-0001')
})

/** Returns the value after it has stopped growing. */
async function whenStill(value: () => number): Promise<number> {
  let last = -1
  for (let unchanged = 0; unchanged < 10; ) {
    await new Promise(resolve => setTimeout(resolve, 50))
    unchanged = value() === last && last > 0 ? unchanged + 1 : 0
    last = value()
  }
  return last
}

/** Waits until this many requests have reached the service. */
async function upstreamHas(held: readonly unknown[], count: number): Promise<void> {
  while (held.length < count) await new Promise(setImmediate)
}

/** Starts a server without HTTP. It passes every connection to `answer` after its first bytes. */
async function tcpServer(t: TestContext, answer: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>()
  const server = createTcpServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
