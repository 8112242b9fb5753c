import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import contract from '@lapwing/contracts/preview.json' with { type: 'json' }
import { until } from '@lapwing/testing/until.ts'
import { aSession } from './test/a-session.ts'
import { type Answer, checkUnharmed, codeOf, post, send, startPreview } from './test/harness.ts'

const service = await startPreview({ after })
const good = [{ name: 'file', fileName: 'session.ibt', content: aSession() }]

test('serves every path of the contract with and without its version', async () => {
  for (const path of Object.keys(contract.paths)) {
    for (const address of [`/api${path}`, `/api${path.replace('/v1', '')}`]) {
      assert.equal((await post(service, good, { path: address })).statusCode, 200, address)
    }
  }
})

for (const path of ['/api/v1/preview', '/api/preview']) {
  test(`answers 405 with Allow to every other method of ${path}`, async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const answer = await send(service, [], { method, path })
      assert.equal(answer.statusCode, 405, method)
      assert.equal(answer.headers.allow, 'POST')
      if (method === 'HEAD') assert.equal(answer.body, '')
      else checkProblem(answer, 'preview.method_not_allowed')
    }
  })
}

test('answers 405 to PUT without reading its body', async () => {
  const answer = await send(service, [aSession()], {
    method: 'PUT',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  checkProblem(answer, 'preview.method_not_allowed')
  await checkUnharmed(service)
})

for (const path of [
  '/',
  '/api',
  '/api/v2/preview',
  '/api/v1/preview/x',
  '/api/v1/Preview',
  '/api/v1/preview%2f',
]) {
  test(`answers 404 for ${path}`, async () => {
    for (const method of ['GET', 'POST'])
      checkProblem(await send(service, [], { method, path }), 'preview.not_found')
  })
}

test('answers 400 for an address that cannot be decoded', async () => {
  checkProblem(await send(service, [], { method: 'GET', path: '/api/%zz' }), 'preview.bad_request')
})

function checkProblem(answer: Answer, code: string) {
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.equal(codeOf(answer), code)
  assert.equal(JSON.parse(answer.body).request_id, answer.headers['x-request-id'])
}

test('answers 500 preview.failed if a thread crashes, and continues', async t => {
  const faulty = await startPreview(t, {
    workerModule: new URL('./test/faulty-worker.ts', import.meta.url),
    workers: 1,
    workerHeapMb: 64,
  })
  for (const fault of ['exit', 'fill the heap', 'throw']) {
    const answer = await post(faulty, [{ name: 'file', fileName: 'a.ibt', content: fault }])
    assert.equal(answer.statusCode, 500, fault)
    assert.equal(codeOf(answer), 'preview.failed')
    assert.equal(JSON.parse(answer.body).detail, 'Preview failed')
    await checkUnharmed(faulty)
  }
})

test('is not ready without its folder, and stays healthy', async t => {
  const other = await startPreview(t)
  const ready = () => send(other, [], { method: 'GET', path: '/readyz' })
  assert.deepEqual(JSON.parse((await ready()).body), {
    status: 'ready',
    checks: { workers: true, disk: true },
  })
  rmSync(other.tempDir, { recursive: true })
  const answer = await ready()
  assert.equal(answer.statusCode, 503)
  assert.deepEqual(JSON.parse(answer.body).checks, { workers: true, disk: false })
  assert.equal((await send(other, [], { method: 'GET', path: '/healthz' })).statusCode, 200)
})

test('is not ready if no thread can start', async t => {
  const other = await startPreview(t, { workerModule: new URL('./test/no-such-worker.ts', import.meta.url) })
  await until(() => !other.pool.isAlive(), 'the pool has no thread')
  const answer = await send(other, [], { method: 'GET', path: '/readyz' })
  assert.equal(answer.statusCode, 503)
  assert.equal(JSON.parse(answer.body).checks.workers, false)
})

test('answers 429 with Retry-After over the limit of a minute, at both addresses together', async t => {
  const limited = await startPreview(t, { rateLimitPerMinute: 4 })
  for (const path of ['/api/v1/preview', '/api/preview', '/api/v1/preview', '/api/preview']) {
    assert.equal((await post(limited, good, { path })).statusCode, 200)
  }
  for (const path of ['/api/v1/preview', '/api/preview']) {
    const answer = await post(limited, good, { path })
    assert.equal(answer.statusCode, 429)
    checkProblem(answer, 'preview.rate_limited')
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
    assert.equal(answer.headers['x-ratelimit-limit'], undefined)
  }
  assert.deepEqual(limited.filesUnderWay(), [])
  // Health checks are never limited.
  assert.equal((await send(limited, [], { method: 'GET', path: '/readyz' })).statusCode, 200)
})

test('limits each client behind a trusted gateway on its own, an IPv6 client by its /64', async t => {
  const limited = await startPreview(t, { rateLimitPerMinute: 1, trustedProxies: ['127.0.0.1'] })
  const statusFor = async (address: string) =>
    (await post(limited, good, { headers: { 'x-forwarded-for': address } })).statusCode
  assert.equal(await statusFor('203.0.113.7'), 200)
  assert.equal(await statusFor('203.0.113.7'), 429)
  assert.equal(await statusFor('203.0.113.8'), 200)
  // The client itself wrote what is left of the address that the gateway saw.
  assert.equal(await statusFor('198.51.100.1, 203.0.113.8'), 429)
  assert.equal(await statusFor('2001:db8:1:2::1'), 200)
  assert.equal(await statusFor('2001:db8:1:2:ffff::2'), 429)
  assert.equal(await statusFor('2001:db8:1:3::1'), 200)
  assert.equal(await statusFor('::ffff:203.0.113.7'), 429)
})

test('ignores X-Forwarded-For of a client that is no trusted gateway', async t => {
  const limited = await startPreview(t, { rateLimitPerMinute: 1, trustedProxies: ['192.0.2.1'] })
  const statusFor = async (address: string) =>
    (await post(limited, good, { headers: { 'x-forwarded-for': address } })).statusCode
  assert.equal(await statusFor('203.0.113.7'), 200)
  assert.equal(await statusFor('203.0.113.8'), 429)
})

test('logs no name, address or content of a file or person', async t => {
  const watched = await startPreview(t, {
    trustedProxies: ['127.0.0.1'],
    workerModule: new URL('./test/faulty-worker.ts', import.meta.url),
    workerHeapMb: 64,
  })
  const headers = {
    'x-forwarded-for': '203.0.113.77',
    'user-agent': 'canary-agent',
    cookie: 'canary-cookie=1',
    authorization: 'Bearer canary-token',
  }
  const contents = [aSession(), 'canary-content', 'throw', 'exit', '']
  for (const content of contents) {
    for (const fileName of ['canary-name.ibt', 'C:\\Users\\canary-name\\x.ibt', 'canary-name.txt']) {
      await post(
        watched,
        [
          { name: 'file', fileName, content },
          { name: 'canary-field', content: 'canary-value' },
        ],
        {
          headers,
        },
      )
    }
  }
  await send(watched, [], { method: 'GET', path: '/canary-path?canary=query', headers })
  await send(watched, [Buffer.from('canary-body')], {
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=canary-boundary' },
  })
  const socket = connect(watched.port, '127.0.0.1')
  socket.end('canary not http at all\r\n\r\n')
  await new Promise(resolve => socket.resume().once('close', resolve))
  await checkUnharmed(watched)
  const log = watched.log()
  assert.ok(
    log.includes('"status":500') && log.includes('"status":422'),
    'the log has too few lines to prove this',
  )
  for (const canary of ['canary', 'Canary Driver', '203.0.113.77', '127.0.0.1', watched.tempDir]) {
    const lines = log.split('\n').filter(line => line.includes(canary) && !line.includes('Server listening'))
    assert.deepEqual(lines, [], `${canary} is in the log`)
  }
})
