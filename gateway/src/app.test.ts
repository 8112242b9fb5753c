import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRoute, folderOf, startGateway } from './test/gateway.ts'
import { rawExchange } from './test/raw-exchange.ts'
import { fakeUpstream } from './test/upstream.ts'

test('serves /healthz and /readyz outside the API', async t => {
  const folder = await folderOf(t, { 'index.html': '<!doctype html>' })
  const { app } = await startGateway(t, (await fakeUpstream(t)).url, { folder })
  assert.deepEqual((await app.inject('/healthz')).json(), { status: 'ok' })
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 200)
  assert.deepEqual(ready.json(), {
    status: 'ready',
    checks: { page: true, routes: true },
    upstreams: { preview: 'unknown' },
    redis: 'none',
  })
  for (const url of ['/api/healthz', '/api/readyz', '/api/v1/healthz'])
    assert.equal((await app.inject(url)).statusCode, 404, url)
})

test('is not ready without a page or without routes', async t => {
  const { app } = await startGateway(t, (await fakeUpstream(t)).url, { folder: '/nowhere', routes: [] })
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 503)
  assert.deepEqual(ready.json().checks, { page: false, routes: false })
})

test('logs one line a request: id, method, route, status and duration, and no personal data', async t => {
  const folder = await folderOf(t, { 'index.html': '<!doctype html>' })
  const upstream = await fakeUpstream(t)
  const gateway = await startGateway(t, upstream.url, {
    folder,
    routes: [aRoute()],
    env: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  const before = gateway.logs.length
  const canary = 'canary4711'
  const lines = [
    'host: lapwing.example',
    'x-request-id: page-0001',
    `user-agent: ${canary}`,
    `authorization: Bearer ${canary}`,
    `cookie: session=${canary}`,
    `referer: https://lapwing.example/${canary}`,
    'x-forwarded-for: 203.0.113.77',
  ].join('\r\n')
  for (const path of [
    `/api/preview?token=${canary}`,
    `/reset?token=${canary}`,
    `/api/none/${canary}`,
    `/%zz${canary}`,
  ])
    await rawExchange(gateway.port, `GET ${path} HTTP/1.1\r\n${lines}\r\n\r\n`)
  const logged = gateway.logs.slice(before)
  assert.deepEqual(
    logged.map(({ time, duration_ms, ...line }) => {
      assert.ok(line.status === 400 || typeof duration_ms === 'number')
      return line
    }),
    [
      { route: '/api/preview', status: 200 },
      { route: '/*', status: 200 },
      { route: '/api/*', status: 404 },
      { route: 'none', status: 400 },
    ].map(({ route, status }) => ({
      level: 'info',
      service: 'gateway',
      request_id: 'page-0001',
      method: 'GET',
      route,
      status,
      msg: 'request',
    })),
  )
  assert.doesNotMatch(JSON.stringify(gateway.logs), /canary4711|203\.0\.113\.77/)
})

test('does not log health checks', async t => {
  const gateway = await startGateway(t, (await fakeUpstream(t)).url)
  const before = gateway.logs.length
  await gateway.app.inject('/healthz')
  await gateway.app.inject('/readyz')
  assert.equal(gateway.logs.length, before)
})
