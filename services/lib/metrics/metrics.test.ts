import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricsText, observeRequest, outboxLevels, serveMetrics, watchLevels } from './index.ts'

test('serves the metrics of the process at /metrics alone, with its name', async t => {
  const server = await serveMetrics({ process: 'demo', host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  observeRequest({ method: 'GET', route: '/things/:id', status: 200, durationMs: 12 })
  const answer = await fetch(server.url)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  for (const metric of [
    'lapwing_http_requests_total{method="GET",route="/things/:id",status="200",process="demo"} 1',
    'lapwing_http_request_duration_seconds_bucket{le="0.025",process="demo",method="GET",route="/things/:id"} 1',
  ]) {
    assert.ok(text.includes(metric), metric)
  }
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds\{process="demo"\} [\d.e-]+$/m)
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics?x', 'GET'],
    ['/metrics', 'POST'],
  ] as const) {
    assert.equal((await fetch(new URL(path, server.url), { method })).status, 404)
  }
})

test('counts unknown methods and routes together, and a client that left without a status', async () => {
  observeRequest({ method: 'BREW-1234', route: undefined, status: 400 })
  observeRequest({ method: 'GET', route: '/slow', status: null, durationMs: 1 })
  const text = await metricsText()
  assert.match(text, /requests_total\{[^}]*method="other",route="none",status="400"/)
  assert.match(text, /requests_total\{[^}]*method="GET",route="\/slow",status="none"/)
  assert.ok(!text.includes('BREW'))
})

test('reads a level at each scrape or from its cache, and leaves it out while it cannot be read', async () => {
  let reads = 0
  let isAway = false
  const level = { name: 'demo_level', help: 'A level.', labels: ['state'] }
  const read = async () => {
    reads++
    if (isAway) throw new Error('away')
    return [{ labels: { state: 'waiting' }, value: reads }]
  }
  const remove = watchLevels([{ ...level, read }])
  assert.match(await metricsText(), /demo_level\{state="waiting"[^}]*\} 1/)
  isAway = true
  assert.doesNotMatch(await metricsText(), /^demo_level\{/m)
  isAway = false
  assert.match(await metricsText(), /demo_level\{state="waiting"[^}]*\} 3/)
  remove()
  assert.doesNotMatch(await metricsText(), /^demo_level\{/m)

  const removeCached = watchLevels([{ ...level, read, validForMs: 60_000 }])
  await metricsText()
  await metricsText()
  assert.equal(reads, 4)
  removeCached()
})

test('reports each receiver of an outbox with its messages and the age of the oldest', async () => {
  const rows = [{ receiver: 'upload', messages: 3, oldestS: 12.5 }]
  const remove = watchLevels(outboxLevels('events', async () => rows))
  const text = await metricsText()
  remove()
  assert.match(text, /lapwing_outbox_messages\{outbox="events",receiver="upload"[^}]*\} 3/)
  assert.match(text, /lapwing_outbox_oldest_seconds\{outbox="events",receiver="upload"[^}]*\} 12.5/)
})
