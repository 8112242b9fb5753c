import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { readEnv } from '@lapwing/config'
import { startTraceCollector } from '@lapwing/testing/trace-collector.ts'
import {
  beginSpan,
  isTracing,
  startTracing,
  traceFields,
  traceparent,
  tracingEnv,
  withSpan,
} from './index.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = `00-${trace}-00f067aa0ba902b7-01`

async function start(t: TestContext, url: string | null, { isEdge = false, sampledShare = 1 } = {}) {
  const lost: unknown[] = []
  const end = await startTracing({
    process: 'demo',
    tracesUrl: url === null ? null : new URL(url),
    sampledShare,
    isEdge,
    onLost: error => lost.push(error),
  })
  t.after(end)
  return { end, lost }
}

async function collect(t: TestContext, options?: Parameters<typeof start>[2]) {
  const collector = await startTraceCollector()
  t.after(() => collector.close())
  const { end } = await start(t, collector.url, options)
  return async () => {
    await end()
    return collector.spans()
  }
}

test('makes nothing and calls the work alone without a collector', async t => {
  await start(t, null)
  assert.equal(isTracing(), false)
  assert.equal(beginSpan({ name: 'x' }), null)
  assert.equal(await withSpan({ name: 'x' }, async () => traceparent()), null)
  assert.deepEqual(traceFields(), {})
})

test('loads nothing of OpenTelemetry without a collector', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve: (name, context, next) => { loaded.push(name); return next(name, context) } })
    const { startTracing } = await import('@lapwing/tracing')
    const options = { process: 'demo', sampledShare: 1, isEdge: false, onLost() {} }
    await startTracing({ ...options, tracesUrl: null })
    const off = loaded.some(name => name.includes('opentelemetry'))
    await startTracing({ ...options, tracesUrl: new URL('http://127.0.0.1:1') })
    const on = loaded.some(name => name.includes('opentelemetry'))
    console.log(JSON.stringify({ off, on }))
  `
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  assert.equal(stdout, '{"off":false,"on":true}\n', stderr)
})

test('exports a piece of work below the span that runs it, across awaits, with the name of its process', async t => {
  const collected = await collect(t)
  await withSpan({ name: 'outer', parent, labels: { size: 'small' } }, async () => {
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(traceFields(), { trace_id: trace })
    await withSpan({ name: 'inner' }, async () => {})
  })
  assert.equal(isTracing(), true)
  const spans = await collected()
  const [inner, outer] = spans
  assert.equal(spans.length, 2)
  assert.deepEqual(outer, {
    process: 'demo',
    name: 'outer',
    traceId: trace,
    spanId: outer!.spanId,
    parentSpanId: '00f067aa0ba902b7',
    labels: { size: 'small' },
  })
  assert.equal(inner!.parentSpanId, outer!.spanId)
  assert.equal(isTracing(), false)
})

test('begins a trace for a malformed parent, and for none', async t => {
  const collected = await collect(t)
  for (const bad of ['', 'mallory', `ff-${trace}-00f067aa0ba902b7-01`, null]) {
    await withSpan({ name: 'x', parent: bad }, async () => {})
  }
  for (const { traceId, parentSpanId } of await collected()) {
    assert.notEqual(traceId, trace)
    assert.equal(parentSpanId, undefined)
  }
})

test('exports the class or code of an error, never its message', async t => {
  const collected = await collect(t)
  const failing = withSpan({ name: 'x' }, async () => {
    throw Object.assign(new Error('anna@lapwing.test is wrong'), { code: 'anna@lapwing.test' })
  })
  await assert.rejects(failing, /anna/)
  const [span] = await collected()
  assert.deepEqual(span!.labels, { 'error.type': 'Error' })
  assert.ok(!JSON.stringify(span).includes('anna'))
})

test('lets only the share of the operator decide at the edge, and follows the caller elsewhere', async t => {
  const none = await collect(t, { isEdge: true, sampledShare: 0 })
  await withSpan({ name: 'asked for by a client', parent }, async () => {
    assert.match(traceparent()!, new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`))
  })
  assert.deepEqual(await none(), [])

  const called = await collect(t, { sampledShare: 0 })
  await withSpan({ name: 'asked for by the gateway', parent }, async () => {})
  await withSpan({ name: 'refused by the gateway', parent: parent.replace(/01$/, '00') }, async () => {})
  assert.deepEqual(
    (await called()).map(({ name }) => name),
    ['asked for by the gateway'],
  )
})

const troubles = {
  'is away': async () => 'http://127.0.0.1:1',
  'never answers': async (t: TestContext) => {
    const { url, close } = await startTraceCollector(() => {})
    t.after(close)
    return url
  },
  refuses: async (t: TestContext) => {
    const { url, close } = await startTraceCollector((_request, response) =>
      response.writeHead(400).end('no'),
    )
    t.after(close)
    return url
  },
}
for (const [trouble, urlOf] of Object.entries(troubles)) {
  test(`finishes all work and ends soon if the collector ${trouble}, and forgets what it cannot hold`, async t => {
    const { end, lost } = await start(t, await urlOf(t))
    const results = await Promise.all(
      Array.from({ length: 5_000 }, (_, index) => withSpan({ name: 'x' }, async () => index)),
    )
    assert.equal(results.at(-1), 4_999)
    await end()
    if (trouble === 'refuses') assert.ok(lost.length > 0, 'the loss is reported')
  })
}

test('reads the standard variables, and is off without them', () => {
  assert.deepEqual({ ...readEnv(tracingEnv, {}) }, { tracesUrl: null, sampledShare: 1 })
  const { tracesUrl, sampledShare } = readEnv(tracingEnv, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  assert.equal(tracesUrl?.href, 'http://otel-collector:4318/')
  assert.equal(sampledShare, 0.25)
  for (const wrong of ['1.1', '-1', 'all', '1e-2']) {
    assert.throws(() => readEnv(tracingEnv, { OTEL_TRACES_SAMPLER_ARG: wrong }), /OTEL_TRACES_SAMPLER_ARG/)
  }
})
