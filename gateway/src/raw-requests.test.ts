import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@lapwing/http'
import fc from 'fast-check'
import { aRoute, folderOf, startGateway } from './test/gateway.ts'
import { isWhole, rawExchange } from './test/raw-exchange.ts'
import { fakeUpstream } from './test/upstream.ts'

const host = 'host: lapwing.example\r\n'
const post = `POST /api/preview HTTP/1.1\r\n${host}content-type: a/b\r\n`

/**
 * Bytes to send, the status of the answer, and whether the service may receive the request. Null: the
 * connection closes without an answer.
 */
const cases: readonly (readonly [what: string, bytes: string, status: number | null, passes: boolean])[] = [
  // Framing: two servers could see the end of the request at two positions (request smuggling).
  [
    'Transfer-Encoding and Content-Length',
    `${post}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`,
    400,
    false,
  ],
  [
    'Content-Length and Transfer-Encoding',
    `${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    false,
  ],
  ['two different Content-Lengths', `${post}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`, 400, false],
  ['two equal Content-Lengths', `${post}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`, 400, false],
  ['a list of Content-Lengths', `${post}content-length: 5, 5\r\n\r\nhello`, 400, false],
  ['a negative Content-Length', `${post}content-length: -5\r\n\r\nhello`, 400, false],
  ['a signed Content-Length', `${post}content-length: +5\r\n\r\nhello`, 400, false],
  ['a hexadecimal Content-Length', `${post}content-length: 0x5\r\n\r\nhello`, 400, false],
  [
    'a Content-Length beyond all bounds',
    `${post}content-length: 99999999999999999999999\r\n\r\nhello`,
    400,
    false,
  ],
  ['an empty Content-Length', `${post}content-length: \r\n\r\nhello`, 400, false],
  ['Transfer-Encoding other than chunked', `${post}transfer-encoding: gzip\r\n\r\nhello`, 400, false],
  ['chunked before another coding', `${post}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, 400, false],
  ['a space before the colon', `${post}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`, 400, false],
  [
    'a chunk size that is no number',
    `${post}transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
    400,
    true,
  ],
  [
    'a chunk longer than its stated size',
    `${post}transfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n`,
    400,
    true,
  ],
  ['a proper chunked body', `${post}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 200, true],
  [
    'a chunk with an extension',
    `${post}transfer-encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n`,
    200,
    true,
  ],
  [
    'trailers',
    `${post}transfer-encoding: chunked\r\ntrailer: x-lapwing-user\r\n\r\n5\r\nhello\r\n0\r\nx-lapwing-user: mallory\r\n\r\n`,
    200,
    true,
  ],
  // Lines and headers.
  ['a bare line feed between headers', `GET /api/preview HTTP/1.1\n${host}\r\n`, 400, false],
  ['a header folded over two lines', `GET /api/preview HTTP/1.1\r\n${host}x-a: b\r\n c\r\n\r\n`, 400, false],
  ['a folded first header', `GET /api/preview HTTP/1.1\r\n x: y\r\n${host}\r\n`, 400, false],
  ['a header without a colon', `GET /api/preview HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400, false],
  ['a header without a name', `GET /api/preview HTTP/1.1\r\n${host}: x\r\n\r\n`, 400, false],
  ['a space in a header name', `GET /api/preview HTTP/1.1\r\n${host}x y: z\r\n\r\n`, 400, false],
  ['a NUL in a header name', `GET /api/preview HTTP/1.1\r\n${host}x\0y: z\r\n\r\n`, 400, false],
  ['a NUL in a header value', `GET /api/preview HTTP/1.1\r\n${host}x: a\0b\r\n\r\n`, 400, false],
  ['a carriage return in a header value', `GET /api/preview HTTP/1.1\r\n${host}x: a\rb\r\n\r\n`, 400, false],
  ['Latin-1 in a header value', `GET /api/preview HTTP/1.1\r\n${host}x: caf\xe9\r\n\r\n`, 200, true],
  [
    'more headers than allowed',
    `GET /api/preview HTTP/1.1\r\n${host}${'x: y\r\n'.repeat(5000)}\r\n`,
    431,
    false,
  ],
  [
    'one header over the size limit',
    `GET /api/preview HTTP/1.1\r\n${host}x: ${'y'.repeat(17_000)}\r\n\r\n`,
    431,
    false,
  ],
  [
    'many small headers within the limit',
    `GET /api/preview HTTP/1.1\r\n${host}${'x: y\r\n'.repeat(500)}\r\n`,
    200,
    true,
  ],
  // Host.
  ['no Host', 'GET /api/preview HTTP/1.1\r\n\r\n', 400, false],
  ['two Hosts', `GET /api/preview HTTP/1.1\r\n${host}host: evil.example\r\n\r\n`, 400, false],
  ['two equal Hosts', `GET /api/preview HTTP/1.1\r\n${host}${host}\r\n`, 400, false],
  // The request line.
  ['an unknown method', `FETCH /api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a method in lower case', `get /api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a method the product does not use', `PROPFIND /api/preview HTTP/1.1\r\n${host}\r\n`, 404, false],
  ['TRACE', `TRACE /api/preview HTTP/1.1\r\n${host}\r\n`, 405, false],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, null, false],
  ['no version', `GET /api/preview\r\n${host}\r\n`, 400, false],
  ['a future version', `GET /api/preview HTTP/3.0\r\n${host}\r\n`, 400, false],
  ['HTTP/2 from the start', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, false],
  ['a TLS greeting', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400, false],
  ['two spaces', `GET  /api/preview HTTP/1.1\r\n${host}\r\n`, 200, true],
  ['a huge address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, false],
  ['a long address within the limit', `GET /${'a'.repeat(8_000)} HTTP/1.1\r\n${host}\r\n`, 200, false],
  [
    'a long query within the limit',
    `GET /api/preview?${'a'.repeat(8_000)} HTTP/1.1\r\n${host}\r\n`,
    200,
    true,
  ],
  ['a space in the address', `GET /api/pre view HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['Latin-1 in the query', `GET /api/preview?\xe9 HTTP/1.1\r\n${host}\r\n`, 400, false],
  // Addresses that could be read in two ways.
  ['absolute form', `GET http://evil.example/api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['absolute form without a path', `GET http://evil.example HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['authority form', `GET evil.example HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['two slashes', `GET //evil.example/api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['two slashes within', `GET /api//preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a dot segment', `GET /api/./preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['two dots', `GET /assets/../api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['two dots at the end', `GET /api/preview/.. HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['two dots and a semicolon', `GET /api/boards/..;/x HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a segment that ends in two dots', `GET /api/boards/x../y HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['dots within a segment', `GET /api/boards/x..y HTTP/1.1\r\n${host}\r\n`, 200, true],
  ['encoded dots', `GET /assets/%2e%2e/api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['half encoded dots', `GET /assets/.%2E/api/preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['an encoded slash', `GET /api%2Fpreview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a backslash', `GET /api\\preview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['an encoded backslash', `GET /api%5cpreview HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['an encoded NUL', `GET /api/preview%00 HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a fragment', `GET /api/preview#x HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['an invalid encoding', `GET /api/%zz HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['an encoding cut short', `GET /api/preview% HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['an encoding that is not UTF-8', `GET /api/%ff%fe HTTP/1.1\r\n${host}\r\n`, 400, false],
  ['a doubly encoded slash', `GET /api%252Fpreview HTTP/1.1\r\n${host}\r\n`, 200, false],
  ['another case', `GET /API/preview HTTP/1.1\r\n${host}\r\n`, 200, false],
  ['a semicolon', `GET /api/preview;x=1 HTTP/1.1\r\n${host}\r\n`, 404, false],
]

for (const [what, bytes, status, passes] of cases) {
  test(`${status === null ? 'closes' : `answers ${status}`} for ${what}${passes ? '' : ', without the service'}`, async t => {
    const { port, upstream } = await startGatewayWithPage(t)
    const answer = await rawExchange(port, bytes)
    assert.equal(answer.status, status, answer.text.slice(0, 2000))
    if (!passes) assert.deepEqual(upstream.received, [])
    assert.doesNotMatch(JSON.stringify(upstream.received.map(({ headers }) => headers)), /mallory|evil/)
  })
}

test('treats a request inside the body of another as part of that body', async t => {
  const { port, upstream } = await startGatewayWithPage(t)
  const hidden = `GET /api/v1/preview?hidden HTTP/1.1\r\n${host}\r\n`
  const answer = await rawExchange(port, `${post}content-length: ${hidden.length}\r\n\r\n${hidden}`)
  assert.equal(answer.status, 200)
  assert.deepEqual(
    upstream.received.map(({ method, body }) => [method, body.toString()]),
    [['POST', hidden]],
  )
})

test('answers pipelined requests in their order', async t => {
  const { port } = await startGatewayWithPage(t)
  const bytes = ['/config.json', '/api/none', '/api/preview', '/'].map(
    path => `GET ${path} HTTP/1.1\r\n${host}\r\n`,
  )
  const answer = await rawExchange(port, bytes.join(''), {
    until: text => (text.match(/HTTP\/1\.1 /g) ?? []).length === 4,
  })
  assert.deepEqual(answer.statuses, [200, 404, 200, 200])
})

test('rejects invalid bytes after a valid request, and still answers the valid one', async t => {
  const { port } = await startGatewayWithPage(t)
  const answer = await rawExchange(port, `GET /config.json HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`, {
    until: () => false,
  })
  assert.deepEqual(answer.statuses.slice(0, 1), [200])
  assert.ok(answer.closed)
})

test('answers an invalid request with a problem document and closes', async t => {
  const { port } = await startGatewayWithPage(t)
  const answer = await rawExchange(port, 'nonsense\r\n\r\n', { until: () => false })
  assert.ok(answer.closed)
  const [head, body] = answer.text.split('\r\n\r\n')
  assert.match(head!, /^content-type: application\/problem\+json$/m)
  assert.match(head!, /^connection: close$/m)
  const problem = JSON.parse(body!)
  assert.equal(problem.code, 'gateway.bad_request')
  assert.ok(head!.includes(`x-request-id: ${problem.request_id}`))
})

for (const [what, bytes] of [
  ['half a header', `GET /config.json HTTP/1.1\r\n${host}x: `],
  ['half a request line', 'GET /conf'],
] as const) {
  test(`answers 408 to a client that sends ${what} and then nothing`, async t => {
    const { port } = await startGatewayWithPage(t, { headersTimeoutMs: 300 })
    const answer = await rawExchange(port, bytes)
    assert.equal(answer.status, 408)
    assert.match(answer.text, /"code":"gateway\.request_timeout"/)
  })
}

test('answers 408 if the headers arrive in time but the body does not', async t => {
  const { port } = await startGatewayWithPage(t, { requestTimeoutMs: 400, headersTimeoutMs: 200 })
  const answer = await rawExchange(port, `${post}content-length: 10\r\n\r\nhello`)
  assert.equal(answer.status, 408)
})

test('closes a connection that sends nothing', async t => {
  const { port } = await startGatewayWithPage(t, { headersTimeoutMs: 300 })
  const answer = await rawExchange(port, '', { until: () => false })
  assert.ok(answer.closed)
})

test('closes a connection without traffic', async t => {
  const { port } = await startGatewayWithPage(t, { idleTimeoutMs: 300 })
  const answer = await rawExchange(port, `${post}content-length: 10\r\n\r\nhello`, { until: () => false })
  assert.ok(answer.closed)
})

test('survives random bytes and never answers 5xx', async t => {
  const { port, url } = await startGatewayWithPage(t)
  const token = fc.constantFrom(
    'GET ',
    'POST ',
    'HEAD ',
    'BREW ',
    '/',
    '/api/preview',
    '/assets/',
    '/config.json',
    '*',
    'http://a/',
    '?a=b',
    '%2e',
    '%',
    ' HTTP/1.1',
    ' HTTP/1.0',
    ' HTTP/9.9',
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    '\0',
    ': ',
    'host: a\r\n',
    'host: b\r\n',
    'content-length: 3\r\n',
    'content-length: x\r\n',
    'transfer-encoding: chunked\r\n',
    'transfer-encoding: x\r\n',
    'connection: close\r\n',
    'connection: upgrade, host\r\n',
    'upgrade: h2c\r\n',
    'expect: 100-continue\r\n',
    'content-type: a/b\r\n',
    'content-type: \r\n',
    'x-request-id: \x01\r\n',
    '0\r\n\r\n',
    '3\r\nabc\r\n',
    'ffffffff\r\n',
    'if-none-match: *\r\n',
    'range: bytes=0-0\r\n',
    'accept-encoding: br;q=x\r\n',
    '\xff\xfe',
  )
  const line = fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'),
      path: fc.stringMatching(/^\/[!-~]{0,40}$/),
      headers: fc.array(fc.tuple(fc.stringMatching(/^[!-~]{1,16}$/), fc.stringMatching(/^[ -~]{0,24}$/)), {
        maxLength: 6,
      }),
    })
    .map(
      ({ method, path, headers }) =>
        `${method} ${path} HTTP/1.1\r\nhost: a\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
  const bytes = fc.oneof(
    fc.array(token, { maxLength: 30 }).map(parts => parts.join('')),
    fc.array(line, { minLength: 1, maxLength: 3 }).map(lines => lines.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async text => {
      const { statuses } = await rawExchange(port, text, { silenceMs: 40, until: isWhole })
      assert.deepEqual(
        statuses.filter(status => status >= 500),
        [],
      )
    }),
    { numRuns: 250 },
  )
  assert.equal((await fetch(`${url}/config.json`)).status, 200)
})

/** Starts a gateway with a page and one route, in front of a service that records its requests. */
async function startGatewayWithPage(
  t: Parameters<typeof fakeUpstream>[0],
  limits: Record<string, number> = {},
) {
  const upstream = await fakeUpstream(t)
  const folder = await folderOf(t, { 'index.html': '<!doctype html>' })
  const gateway = await startGateway(t, upstream.url, {
    routes: [aRoute({ methods: ['GET', 'POST'] }), aRoute({ prefix: '/boards/*', methods: ['GET'] })],
    logger: createLogger('gateway', 'silent'),
    folder,
    limits,
  })
  return { ...gateway, upstream }
}
