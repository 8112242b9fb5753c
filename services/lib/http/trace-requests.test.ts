import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTraceCollector } from '@lapwing/testing/trace-collector.ts'
import { startTracing, traceparent } from '@lapwing/tracing'
import { addHealth, createApp, createLogger } from './index.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const secret = 'canary-of-a-person'

test('makes one span of a request, in whose trace its handler and its log lines are, and none of a probe', async t => {
  const collector = await startTraceCollector()
  t.after(() => collector.close())
  const end = await startTracing({
    process: 'demo',
    tracesUrl: new URL(collector.url),
    sampledShare: 1,
    isEdge: false,
    onLost: error => assert.fail(String(error)),
  })
  t.after(end)
  const lines: string[] = []
  const logger = createLogger('demo', 'info', { write: line => void lines.push(line) })
  const app = createApp({ service: 'demo', errors: {}, logger })
  t.after(() => app.close())
  addHealth(app)
  let seen: string | null = null
  app.post('/things/:id', async (_request, reply) => {
    seen = traceparent()
    logger.info('by the logger of the process')
    return reply.code(503).send({})
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  await fetch(`${url}/readyz`)
  await fetch(`${url}/things/${secret}?token=${secret}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': secret,
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    },
    // Too long for one chunk, so that the handler is called when bytes arrive and not by the hook.
    body: JSON.stringify({ email: secret.repeat(3_000) }),
  })
  await app.close()
  await end()

  const spans = collector.spans()
  assert.deepEqual(
    spans.map(({ name, traceId, parentSpanId, labels }) => ({ name, traceId, parentSpanId, labels })),
    [
      {
        name: 'POST /things/:id',
        traceId: trace,
        parentSpanId: '00f067aa0ba902b7',
        labels: {
          'http.request.method': 'POST',
          'http.route': '/things/:id',
          'http.response.status_code': 503,
          'error.type': '503',
        },
      },
    ],
  )
  assert.equal(seen, `00-${trace}-${spans[0]!.spanId}-01`)
  assert.ok(!collector.bodies().join().includes(secret))
  const ofRequest = lines.map(line => JSON.parse(line)).filter(({ trace_id: id }) => id === trace)
  assert.deepEqual(
    ofRequest.map(({ msg }) => msg),
    ['by the logger of the process', 'request'],
  )
})
