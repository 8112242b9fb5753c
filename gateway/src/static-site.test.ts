import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { metricsText } from '@lapwing/metrics'
import { folderOf, startGateway } from './test/gateway.ts'
import { problemOf } from './test/problem-of.ts'
import { rawExchange } from './test/raw-exchange.ts'
import { fakeUpstream } from './test/upstream.ts'

const page = '<!doctype html><title>Lapwing</title>'
const phones = '<!doctype html><title>Phone numbers</title>'
const demo = '<!doctype html><title>Widget</title>'
const script = 'export const laps = []\n'.repeat(100)

test('serves the page at its own address and at every route of the page', async t => {
  const app = await site(t)
  for (const url of [
    '/',
    '/index.html',
    '/reset?token=abc',
    '/terms',
    '/a/b/c',
    '/authenticate',
    '/v1.2/x',
  ]) {
    const answer = await app.inject(url)
    assert.equal(answer.statusCode, 200, url)
    assert.equal(answer.body, page, url)
    assert.match(String(answer.headers['content-type']), /^text\/html/, url)
    assert.equal(answer.headers['cache-control'], 'no-cache', url)
  }
})

test('lets browsers cache hashed files for a year, and revalidate others', async t => {
  const app = await site(t)
  const hashed = await app.inject('/assets/app-1a2b3c4d.js')
  assert.equal(hashed.body, script)
  assert.match(String(hashed.headers['content-type']), /javascript; charset=utf-8$/)
  assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal((await app.inject('/favicon.svg')).headers['cache-control'], 'no-cache')
})

test('lets pages of every origin load the code of the sign-in widget, and nothing else', async t => {
  const app = await site(t)
  for (const url of ['/widget/v1.js', '/widget/assets/app-5e6f7a8b.js']) {
    const { headers, body } = await app.inject(url)
    assert.equal(body, script, url)
    assert.equal(headers['access-control-allow-origin'], '*', url)
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', url)
  }
  for (const url of [
    '/',
    '/assets/app-1a2b3c4d.js',
    '/widget/demo',
    '/widget/demo/assets/demo-9c0d1e2f.js',
  ]) {
    const { headers } = await app.inject(url)
    assert.equal(headers['access-control-allow-origin'], undefined, url)
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', url)
  }
  assert.equal((await app.inject('/widget/v1.js')).headers['cache-control'], 'no-cache')
  const hashed = await app.inject('/widget/assets/app-5e6f7a8b.js')
  assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable')
})

test('lets pages of every origin show the frame for phone numbers, and no other page', async t => {
  const app = await site(t)
  const frame = await app.inject('/clientside-services/index.html')
  assert.equal(frame.body, phones)
  assert.match(String(frame.headers['content-security-policy']), /; frame-ancestors \*$/)
  assert.match(String(frame.headers['content-security-policy']), /(^|; )script-src 'self'(;|$)/)
  assert.equal(frame.headers['x-frame-options'], undefined)
  assert.equal(frame.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(frame.headers['cache-control'], 'no-cache')
  for (const url of ['/', '/clientside-services', '/clientside-services/', '/widget/demo']) {
    const { headers } = await app.inject(url)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, url)
    assert.equal(headers['x-frame-options'], 'DENY', url)
  }
})

test('serves the demo of the widget at the address of its folder', async t => {
  const app = await site(t)
  const answer = await app.inject('/widget/demo')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.body, demo)
  assert.match(String(answer.headers['content-type']), /^text\/html/)
  const etag = String(answer.headers.etag)
  const again = await app.inject({ url: '/widget/demo', headers: { 'if-none-match': etag } })
  assert.equal(again.statusCode, 304)
  assert.equal((await app.inject('/widget/assets/older.js')).statusCode, 404)
})

test('counts all hashed files as one route, because each build gives them new names', async t => {
  const app = await site(t)
  await app.inject('/assets/app-1a2b3c4d.js')
  const metrics = await metricsText()
  assert.match(metrics, /lapwing_http_requests_total\{method="GET",route="\/assets\/\*",status="200"/)
  assert.ok(!metrics.includes('app-1a2b3c4d'))
})

for (const [accepted, encoding] of [
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['identity', undefined],
  ['', undefined],
] as const) {
  test(`sends ${encoding ?? 'the file uncompressed'} for "Accept-Encoding: ${accepted}"`, async t => {
    const app = await site(t)
    const answer = await app.inject({
      url: '/assets/app-1a2b3c4d.js',
      headers: { 'accept-encoding': accepted },
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-encoding'], encoding)
    assert.equal(answer.headers.vary, 'accept-encoding')
    assert.match(String(answer.headers['content-type']), /javascript; charset=utf-8$/)
    assert.deepEqual(answer.rawPayload, forms(script)[encoding ?? 'plain'])
  })
}

test('sends a file without a compressed form uncompressed', async t => {
  const app = await site(t)
  const answer = await app.inject({ url: '/favicon.svg', headers: { 'accept-encoding': 'br, gzip' } })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.equal(answer.body, '<svg/>')
})

test('has no address for a compressed form', async t => {
  const app = await site(t)
  assert.equal((await app.inject('/assets/app-1a2b3c4d.js.br')).statusCode, 404)
})

for (const url of ['/assets/app-older.js', '/assets/', '/assets/x', '/old.js', '/x/y.css', '/robots.txt']) {
  test(`answers 404 for ${url}, which looks like a file of an older build`, async t => {
    const app = await site(t)
    const answer = await app.inject(url)
    assert.equal(problemOf(answer).code, 'gateway.not_found')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers.etag, undefined)
  })
}

for (const url of ['/', '/terms', '/assets/app-1a2b3c4d.js', '/favicon.svg']) {
  test(`answers 304 for ${url} if the browser has it in any encoding`, async t => {
    const app = await site(t)
    const tags = new Set<string>()
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { headers } = await app.inject({ url, headers: { 'accept-encoding': accepted } })
      tags.add(String(headers.etag))
    }
    assert.equal(tags.size, 1)
    const [tag] = tags
    for (const known of [tag!, `"other", ${tag}`, tag!.replace('W/', ''), '*']) {
      const answer = await app.inject({ url, headers: { 'if-none-match': known } })
      assert.equal(answer.statusCode, 304, known)
      assert.equal(answer.body, '')
      assert.equal(answer.headers.etag, tag)
    }
    assert.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
  })
}

test('has different tags for two builds of equal length and date', async t => {
  const upstream = await fakeUpstream(t)
  const tags = []
  for (const hash of ['aaaa', 'bbbb']) {
    const folder = await folderOf(t, { 'index.html': `<script src="/assets/app-${hash}.js">` })
    const { app } = await startGateway(t, upstream.url, { folder })
    tags.push((await app.inject('/')).headers.etag)
  }
  assert.notEqual(tags[0], tags[1])
})

test('answers HEAD with the headers of GET and no body', async t => {
  const app = await site(t)
  for (const url of ['/', '/terms', '/assets/app-1a2b3c4d.js']) {
    const get = await app.inject(url)
    const head = await app.inject({ method: 'HEAD', url })
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      assert.equal(head.headers[name], get.headers[name], `${name} of ${url}`)
  }
})

test('answers 405 with Allow to other methods of a page', async t => {
  const app = await site(t)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
    for (const url of ['/', '/terms', '/assets/app-1a2b3c4d.js', '/assets/gone.js']) {
      const answer = await app.inject({ method, url })
      assert.equal(problemOf(answer).code, 'gateway.method_not_allowed', `${method} ${url}`)
      assert.equal(answer.headers.allow, 'GET, HEAD')
    }
  }
})

test('answers 404, not the page, at unknown addresses under /api', async t => {
  const app = await site(t)
  for (const url of [
    '/api',
    '/api/',
    '/api/none',
    '/api/v1/preview/more',
    '/api/healthz',
    '/api/readyz',
    '/api/config.json',
  ]) {
    const answer = await app.inject(url)
    assert.equal(problemOf(answer).code, 'gateway.not_found', url)
  }
})

test('serves no file outside the folder, in no spelling of an address', async t => {
  const parent = await folderOf(t, { 'secret.txt': 'the secret', 'dist/index.html': page })
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, { folder: `${parent}/dist` })
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/./index.html',
    '/assets//app.js',
    '/index.html%00.js',
  ]) {
    const answer = await rawExchange(gateway.port, `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    assert.equal(answer.status, 400, path)
    assert.ok(!answer.text.includes('the secret'), path)
  }
})

test('serves only the API without a built page, and is not ready', async t => {
  const { app } = await startGateway(t, (await fakeUpstream(t)).url, { folder: '/nowhere' })
  assert.equal((await app.inject({ method: 'POST', url: '/api/preview' })).statusCode, 200)
  assert.equal((await app.inject('/')).statusCode, 404)
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 503)
  assert.deepEqual(ready.json().checks, { page: false, routes: true })
})

function forms(content: string) {
  return { plain: Buffer.from(content), br: brotliCompressSync(content), gzip: gzipSync(content) }
}

async function site(t: TestContext) {
  const { plain, br, gzip } = forms(script)
  const folder = await folderOf(t, {
    'index.html': page,
    'favicon.svg': '<svg/>',
    'assets/app-1a2b3c4d.js': plain,
    'assets/app-1a2b3c4d.js.br': br,
    'assets/app-1a2b3c4d.js.gz': gzip,
    'widget/v1.js': plain,
    'widget/assets/app-5e6f7a8b.js': plain,
    'clientside-services/index.html': phones,
    'widget/demo/index.html': demo,
    'widget/demo/assets/demo-9c0d1e2f.js': plain,
  })
  return (await startGateway(t, (await fakeUpstream(t)).url, { folder })).app
}
