import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { metricsText } from '@lapwing/metrics'
import { addHealth, type HealthChecks } from './health.ts'
import { demoApp } from './test/app.ts'

test('checks nothing outside for /healthz', async t => {
  const { app } = demoApp(t)
  addHealth(app, {
    database: () => {
      throw new Error('must not be called')
    },
  })
  const answer = await app.inject('/healthz')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ok' })
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('answers 200 to /readyz while every check holds', async t => {
  const { app } = demoApp(t)
  addHealth(app, { database: async () => true, disk: () => true })
  const answer = await app.inject('/readyz')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ready', checks: { database: true, disk: true } })
  assert.equal(answer.headers['cache-control'], 'no-store')
})

const failing: HealthChecks = {
  'returns false': () => false,
  'resolves to false': async () => false,
  throws: () => {
    throw new Error('secret')
  },
  rejects: () => Promise.reject(new Error('secret')),
  'never answers': () => new Promise(() => {}),
}
for (const [what, check] of Object.entries(failing)) {
  test(`answers 503 to /readyz if a check ${what}, and names it`, async t => {
    const { app } = demoApp(t)
    addHealth(app, { good: () => true, bad: check }, { timeoutMs: 50 })
    const answer = await app.inject('/readyz')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json(), { status: 'not ready', checks: { good: true, bad: false } })
    assert.equal((await app.inject('/healthz')).statusCode, 200)
  })
}

test('ignores the values shown beside the checks', async t => {
  const { app } = demoApp(t)
  addHealth(app, {}, { shown: { upstreams: () => ({ preview: 'down' }) } })
  const answer = await app.inject('/readyz')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ready', checks: {}, upstreams: { preview: 'down' } })
})

test('answers with the sentence of a failed check, and logs it once until it changes', async t => {
  let verdict: boolean | string = 'KEY is not the key of the stored data.'
  const { app, logs } = demoApp(t)
  addHealth(app, { key: () => verdict })
  for (let probe = 0; probe < 2; probe++) {
    const answer = await app.inject('/readyz')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json(), {
      status: 'not ready',
      checks: { key: false },
      problems: { key: 'KEY is not the key of the stored data.' },
    })
  }
  const logged = logs.filter(({ check }) => check === 'key').map(({ msg }) => msg)
  assert.deepEqual(logged, ['not ready: KEY is not the key of the stored data.'])
  verdict = true
  assert.deepEqual((await app.inject('/readyz')).json(), { status: 'ready', checks: { key: true } })
})

test('logs the sentence of a failed check when it starts to listen, before anybody asks', async t => {
  const { app, logs, listen } = demoApp(t)
  addHealth(app, { key: () => 'KEY is not the key of the stored data.' })
  await listen()
  while (!logs.some(({ check }) => check === 'key')) await setImmediate()
})

test('shows each check in the metrics while the process listens, a slow one as failed', async t => {
  const { app, listen } = demoApp(t)
  addHealth(app, { fine: () => true, broken: () => 'Repair it.', slow: () => new Promise(() => {}) })
  assert.doesNotMatch(await metricsText(), /^lapwing_ready\{/m)
  await listen()
  const text = await metricsText()
  assert.match(text, /^lapwing_ready\{check="fine"[^}]*\} 1$/m)
  for (const check of ['broken', 'slow']) {
    assert.match(text, new RegExp(`^lapwing_ready\\{check="${check}"[^}]*\\} 0$`, 'm'))
  }
  await app.close()
  assert.doesNotMatch(await metricsText(), /^lapwing_ready\{/m)
})

test('answers 503 to /readyz from the moment the process drains', async t => {
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
