import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import fc from 'fast-check'
import { clientHeaders, serviceHeaders } from './forward-headers.ts'
import { aRoute, startGateway } from './test/gateway.ts'
import { rawExchange } from './test/raw-exchange.ts'
import { fakeUpstream } from './test/upstream.ts'

const routes = [aRoute()]
/** Every request has this principal. */
const signedInRoutes = [aRoute({ access: 'signed-in' })]
const carol = {
  userId: 'user-1',
  sessionId: 'session-1',
  roles: [],
  identity: 'signed by the gateway',
  isImpersonated: false,
}
/** The protocol of the one service that reads credentials itself. */
const signInRoutes = [aRoute({ prefix: '/api/preview', protocol: 'sign-in' })]

/** Headers that only a gateway may set, in all known spellings. */
const forbidden = [
  'x-lapwing-user',
  'X-Lapwing-User',
  'x-lapwing-session',
  'x-lapwing-identity',
  'X-Lapwing-Identity',
  'x_lapwing_identity',
  'x_lapwing_user',
  'X_Lapwing-User',
  'forwarded',
  'Forwarded',
  'x-forwarded',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-forwarded-scheme',
  'x_forwarded_for',
  'x-real-ip',
  'X-Real-IP',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'front-end-https',
  'x-original-url',
  'x-original-uri',
  'x-original-host',
  'x-rewrite-url',
  'x-host',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'baggage',
  'keep-alive',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'http2-settings',
]

for (const name of forbidden) {
  test(`removes the client's ${name}`, async t => {
    const { seen } = await pass(t, [`${name}: mallory`])
    assert.ok(!JSON.stringify(seen).includes('mallory'))
  })
}

for (const name of [
  'accept',
  'accept-encoding',
  'accept-language',
  'x-requested-with',
  'x-client-version',
  'user-agent',
  'if-none-match',
  'x-forward',
  'x-lapwings',
]) {
  test(`forwards ${name}`, async t => {
    const { seen } = await pass(t, [`${name}: carol`])
    assert.equal(seen[name], 'carol')
  })
}

for (const name of ['authorization', 'cookie']) {
  test(`forwards ${name} only to the one service that reads it (D-14)`, async t => {
    assert.equal((await pass(t, [`${name}: carol`])).seen[name], undefined)
    assert.equal((await pass(t, [`${name}: carol`], { rows: signInRoutes })).seen[name], 'carol')
  })
}

/** Headers that the gateway adds, and values by which a client could try to remove or replace them. */
const added = {
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-proto': 'http',
  'x-forwarded-host': 'localhost:8080',
  'x-lapwing-identity': 'signed by the gateway',
}

for (const [name, value] of Object.entries(added)) {
  test(`replaces the client's ${name} with its own`, async t => {
    const { seen } = await pass(t, [`${name}: mallory`, `${name}: mallory`])
    assert.equal(seen[name], value)
  })

  test(`sends its ${name} even if the client names it in Connection (CVE-2026-33805)`, async t => {
    const { seen } = await pass(t, [`connection: ${name}, close`, `connection: ${name.toUpperCase()}`])
    assert.equal(seen[name], value)
  })
}

test('sends x-request-id even if the client names it in Connection', async t => {
  const { seen, text } = await pass(t, ['connection: x-request-id', 'x-request-id: page-0001'])
  assert.match(String(seen['x-request-id']), /^[\w-]{8,64}$/)
  assert.match(text, new RegExp(`x-request-id: ${seen['x-request-id']}\r\n`))
})

test('removes headers that the client names in Connection', async t => {
  const { seen } = await pass(t, [
    'connection: close, X-Secret , x-other',
    'x-secret: 1',
    'x-other: 2',
    'x-third: 3',
  ])
  assert.equal(seen['x-secret'], undefined)
  assert.equal(seen['x-other'], undefined)
  assert.equal(seen['x-third'], '3')
})

test('still forwards a request that names Host or Content-Length in Connection', async t => {
  const { seen, status, body } = await pass(
    t,
    ['connection: host, content-length, content-type', 'content-type: text/plain', 'content-length: 5'],
    { method: 'POST', body: 'hello' },
  )
  assert.equal(status, 200)
  assert.match(String(seen.host), /^127\.0\.0\.1:\d+$/)
  assert.equal(body, 'hello')
})

for (const [sent, kept] of [
  ['page-0001', true],
  ['a'.repeat(64), true],
  ['ab_CD-12', true],
  ['short', false],
  ['a'.repeat(65), false],
  ['has space', false],
  ['semi;colon', false],
  ['{"json":1}', false],
  ['', false],
] as const) {
  test(`${kept ? 'keeps' : 'replaces'} x-request-id "${sent.slice(0, 20)}", the same in both directions`, async t => {
    const { seen, text } = await pass(t, [`x-request-id: ${sent}`])
    const id = String(seen['x-request-id'])
    assert.match(id, /^[\w-]{8,64}$/)
    assert.equal(id === sent, kept)
    assert.ok(text.includes(`x-request-id: ${id}\r\n`))
  })
}

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
for (const [sent, passes] of [
  [trace, true],
  [trace.toUpperCase(), false],
  [`${trace}-more`, false],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', false],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
  ['mallory', false],
] as const) {
  test(`${passes ? 'forwards' : 'removes'} traceparent ${sent} with its tracestate`, async t => {
    const { seen } = await pass(t, [`traceparent: ${sent}`, 'tracestate: a=1'])
    assert.equal(seen.traceparent, passes ? sent : undefined)
    assert.equal(seen.tracestate, passes ? 'a=1' : undefined)
  })
}

test('sends a service its own host, and the public one beside it', async t => {
  const { seen } = await pass(t, [], {
    host: 'evil.example',
    env: { PUBLIC_ORIGIN: 'https://lapwing.example' },
  })
  assert.match(String(seen.host), /^127\.0\.0\.1:\d+$/)
  assert.equal(seen['x-forwarded-host'], 'lapwing.example')
  assert.equal(seen['x-forwarded-proto'], 'https')
})

for (const [trusted, forwarded, expected] of [
  [undefined, '203.0.113.9', '127.0.0.1'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['127.0.0.1', 'mallory, 198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['127.0.0.1,203.0.113.0/24', '192.0.2.1, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['127.0.0.0/8', '127.0.0.7', '127.0.0.7'],
  ['127.0.0.1', 'mallory', '127.0.0.1'],
  ['127.0.0.1', '203.0.113.9, mallory', '127.0.0.1'],
  ['127.0.0.1', '2001:db8::1', '2001:db8::1'],
  ['127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
] as const) {
  test(`sends ${expected} for "X-Forwarded-For: ${forwarded ?? ''}" if it trusts ${trusted ?? 'no proxy'}`, async t => {
    const { seen } = await pass(t, forwarded === undefined ? [] : [`x-forwarded-for: ${forwarded}`], {
      env: trusted === undefined ? {} : { TRUSTED_PROXIES: trusted },
    })
    assert.equal(seen['x-forwarded-for'], expected)
  })
}

test('sends no header of a body if there is no body', async t => {
  const { seen, status } = await pass(t, ['content-type: text/plain', 'content-length: 0'], {
    method: 'POST',
  })
  assert.equal(status, 200)
  assert.ok(seen['transfer-encoding'] !== undefined || (seen['content-length'] ?? '0') === '0')
})

test('does not forward the body of a GET, which has no meaning', async t => {
  const { seen, status, body } = await pass(t, ['content-length: 5'], { method: 'GET', body: 'hello' })
  assert.equal(status, 200)
  assert.equal(body, '')
  assert.equal(seen['content-length'], undefined)
})

test('answers "Expect: 100-continue" itself and does not forward it', async t => {
  const { seen, text } = await pass(t, ['expect: 100-continue', 'content-length: 5', 'content-type: a/b'], {
    method: 'POST',
    body: 'hello',
    until: text => text.endsWith('ok'),
  })
  assert.equal(seen.expect, undefined)
  assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
})

test('does not forward "Upgrade", and answers the request as a plain one', async t => {
  const { seen, status } = await pass(t, [
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-key: x',
  ])
  assert.equal(status, 200)
  assert.equal(seen.upgrade, undefined)
})

for (const name of [
  'server',
  'x-powered-by',
  'via',
  'keep-alive',
  'proxy-authenticate',
  'upgrade',
  'x-lapwing-user',
  'x-named',
]) {
  test(`removes the service's ${name}`, async t => {
    const upstream = await fakeUpstream(t, (_request, response) => {
      response.setHeader('connection', 'keep-alive, x-named')
      response.setHeader(name, 'inside')
      response.end('ok')
    })
    const gateway = await startGateway(t, upstream.url, { routes })
    const answer = await rawExchange(gateway.port, 'GET /api/preview HTTP/1.1\r\nhost: a\r\n\r\n')
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes('inside'))
  })
}

test("passes the service's other headers", async t => {
  const upstream = await fakeUpstream(t, (_request, response) => {
    response.setHeader('etag', '"x"')
    response.setHeader('retry-after', '7')
    response.end('ok')
  })
  const gateway = await startGateway(t, upstream.url, { routes })
  const response = await fetch(`${gateway.url}/api/preview`)
  assert.equal(response.headers.get('etag'), '"x"')
  assert.equal(response.headers.get('retry-after'), '7')
})

test('lets only the service that reads cookies set them', async t => {
  const upstream = await fakeUpstream(t, (_request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end('ok')
  })
  for (const [rows, cookies] of [
    [routes, []],
    [signInRoutes, ['a=1', 'b=2']],
  ] as const) {
    const gateway = await startGateway(t, upstream.url, { routes: rows })
    assert.deepEqual((await fetch(`${gateway.url}/api/preview`)).headers.getSetCookie(), cookies)
  }
})

test('sends its own headers for every combination of headers that a client sends and names', () => {
  const facts = {
    requestId: 'gateway-0001',
    traceparent: null,
    clientAddress: '192.0.2.1',
    publicOrigin: new URL('https://lapwing.example'),
    hasBody: true,
    identity: 'signed by the gateway',
    readsCredentials: false,
  }
  const name = fc.oneof(
    fc.constantFrom(...forbidden.map(text => text.toLowerCase())),
    fc.stringMatching(/^[a-z0-9_-]{1,24}$/),
  )
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), sent => {
      const headers = serviceHeaders(sent, facts)
      assert.equal(headers['x-request-id'], 'gateway-0001')
      assert.equal(headers['x-forwarded-for'], '192.0.2.1')
      assert.equal(headers['x-forwarded-proto'], 'https')
      assert.equal(headers['x-forwarded-host'], 'lapwing.example')
      assert.equal(headers['x-lapwing-identity'], 'signed by the gateway')
      assert.equal('cookie' in headers || 'authorization' in headers, false)
      for (const name of Object.keys(headers)) {
        if (name in added || name === 'x-request-id') continue
        assert.doesNotMatch(name, /^(x[-_](forwarded|lapwing)[-_]|forwarded$|connection$|transfer-encoding$)/)
      }
    }),
    { numRuns: 500 },
  )
})

test('does not let a service replace or remove the headers that are on every answer', () => {
  const own = { 'content-security-policy': 'strict' }
  const answered = {
    connection: 'content-security-policy, x-a',
    'content-security-policy': 'none',
    'x-a': '1',
    'x-b': '2',
  }
  assert.deepEqual(clientHeaders(answered, own, { readsCredentials: false }), { 'x-b': '2' })
})

interface Passed {
  readonly seen: Readonly<Record<string, unknown>>
  readonly status: number | null
  readonly text: string
  readonly body: string
}

/** Sends one request with these header lines through a gateway. Returns what the service received. */
async function pass(
  t: TestContext,
  lines: readonly string[],
  {
    method = 'GET',
    body = '',
    host = 'lapwing.example',
    env = {},
    rows = signedInRoutes,
    until = undefined as ((text: string) => boolean) | undefined,
  } = {},
): Promise<Passed> {
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, {
    routes: rows,
    env,
    findPrincipal: async () => carol,
    logger: createLogger('gateway', 'silent'),
  })
  const head = [`${method} /api/preview HTTP/1.1`, `host: ${host}`, ...lines].join('\r\n')
  const answer = await rawExchange(
    gateway.port,
    `${head}\r\n\r\n${body}`,
    until === undefined ? {} : { until },
  )
  const [received, ...others] = upstream.received
  assert.ok(received, `the service saw nothing: ${answer.text}`)
  assert.equal(others.length, 0)
  return { seen: received.headers, status: answer.status, text: answer.text, body: received.body.toString() }
}
