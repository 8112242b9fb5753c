import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addHealth, type HealthChecks } from './health.ts'
import { demoApp } from './test/app.ts'

test('/healthz asks nothing outside', async t => {
  const { app } = demoApp(t)
  addHealth(app, {
    database: () => {
      throw new Error('must not be asked')
    },
  })
  const answer = await app.inject('/healthz')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ok' })
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('/readyz is 200 while every check holds', async t => {
  const { app } = demoApp(t)
  addHealth(app, { database: async () => true, disk: () => true })
  const answer = await app.inject('/readyz')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ready', checks: { database: true, disk: true } })
  assert.equal(answer.headers['cache-control'], 'no-store')
})

const failing: HealthChecks = {
  'says no': () => false,
  'says no later': async () => false,
  throws: () => {
    throw new Error('secret')
  },
  rejects: () => Promise.reject(new Error('secret')),
  'never answers': () => new Promise(() => {}),
}
for (const [what, check] of Object.entries(failing)) {
  test(`/readyz is 503 when a check ${what}, and names it`, async t => {
    const { app } = demoApp(t)
    addHealth(app, { good: () => true, bad: check }, { timeoutMs: 50 })
    const answer = await app.inject('/readyz')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json(), { status: 'not ready', checks: { good: true, bad: false } })
    assert.equal((await app.inject('/healthz')).statusCode, 200)
  })
}

test('what is shown beside the checks decides nothing', async t => {
  const { app } = demoApp(t)
  addHealth(app, {}, { shown: { upstreams: () => ({ preview: 'down' }) } })
  const answer = await app.inject('/readyz')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ready', checks: {}, upstreams: { preview: 'down' } })
})

test('/readyz is 503 from the moment the process drains', async t => {
  const { app, listen } = demoApp(t)
  addHealth(app)
  let port = 0
  const seen: unknown[] = []
  // Runs after the hook of `addHealth`, while connections are still accepted.
  app.addHook('preClose', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`)
    seen.push(response.status, await response.json())
  })
  port = await listen()
  await app.close()
  assert.deepEqual(seen, [503, { status: 'draining', checks: {} }])
})
