import assert from 'node:assert/strict'
import { test } from 'node:test'
import { securityHeaders } from './security-headers.ts'
import { folderOf, startGateway } from './test/gateway.ts'
import { rawExchange } from './test/raw-exchange.ts'
import { fakeUpstream } from './test/upstream.ts'

const http = new URL('http://lapwing.example')
const https = new URL('https://lapwing.example')

test('allows nothing inline, nothing evaluated and no foreign origin', () => {
  assert.deepEqual(policyOf(securityHeaders(https)), {
    'default-src': "'self'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
})

test('adds the sources of a deployment to the directives that it names', () => {
  const policy = policyOf(securityHeaders(https, { 'connect-src': ['https://tiles.example'] }))
  assert.equal(policy['connect-src'], "'self' https://tiles.example")
  assert.equal(policy['img-src'], "'self' data: blob:")
})

test('lets the page use passkeys, and nothing else that asks for permission', () => {
  const policy = securityHeaders(https)['permissions-policy']!
  // Without an entry a browser allows the page itself, and no frame of another site.
  assert.doesNotMatch(policy, /publickey-credentials/)
  assert.match(policy, /camera=\(\), /)
})

test('sends HSTS only if the public origin is https', () => {
  assert.equal(securityHeaders(https)['strict-transport-security'], 'max-age=31536000')
  assert.equal('strict-transport-security' in securityHeaders(http), false)
})

test('sets the headers on every answer: page, asset, API, config, health and errors', async t => {
  // The service tries to weaken the headers.
  const upstream = await fakeUpstream(t, (_request, response) => {
    response.setHeader('content-security-policy', 'default-src *')
    response.setHeader('referrer-policy', 'unsafe-url')
    response.end('ok')
  })
  const folder = await folderOf(t, { 'index.html': '<!doctype html>', 'assets/app-1.js': 'x' })
  const gateway = await startGateway(t, upstream.url, { folder })
  const expected = securityHeaders(new URL('http://localhost:8080'), {
    'connect-src': ['https://tiles.openfreemap.org'],
  })
  const host = 'host: a\r\n\r\n'
  for (const [request, status] of [
    [`GET / HTTP/1.1\r\n${host}`, 200],
    [`GET /assets/app-1.js HTTP/1.1\r\n${host}`, 200],
    [`GET /config.json HTTP/1.1\r\n${host}`, 200],
    [`GET /healthz HTTP/1.1\r\n${host}`, 200],
    [`POST /api/preview HTTP/1.1\r\n${host}`, 200],
    [`GET /api/preview HTTP/1.1\r\n${host}`, 405],
    [`GET /api/none HTTP/1.1\r\n${host}`, 404],
    [`GET /assets/gone.js HTTP/1.1\r\n${host}`, 404],
    [`POST / HTTP/1.1\r\n${host}`, 405],
    [`PROPFIND / HTTP/1.1\r\n${host}`, 404],
    [`GET /%zz HTTP/1.1\r\n${host}`, 400],
    [`GET /a%2fb HTTP/1.1\r\n${host}`, 400],
    [`NONSENSE / HTTP/1.1\r\n${host}`, 400],
    [`GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n${host}`, 431],
  ] as const) {
    const answer = await rawExchange(gateway.port, request, { until: text => text.includes('\r\n\r\n') })
    assert.equal(answer.status, status, request.slice(0, 60))
    const lines = answer.text.split('\r\n\r\n', 1)[0]!.split('\r\n')
    for (const [name, value] of Object.entries(expected)) {
      const found = lines.filter(line => line.toLowerCase().startsWith(`${name}:`))
      assert.deepEqual(found, [`${name}: ${value}`], `${name} of ${request.slice(0, 60)}`)
    }
    assert.ok(
      lines.some(line => /^x-request-id: [\w-]{8,64}$/.test(line)),
      request.slice(0, 60),
    )
  }
})

function policyOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    headers['content-security-policy']!.split('; ').map(directive => {
      const [name, ...sources] = directive.split(' ')
      return [name!, sources.join(' ')]
    }),
  )
}
