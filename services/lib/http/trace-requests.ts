import { beginSpan, type RunningSpan } from '@lapwing/tracing'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const spans = new WeakMap<FastifyRequest, RunningSpan>()

/**
 * Makes a span of each request, from its head to the end of its answer. Its parent is the `traceparent` of the client.
 * Add it before all other hooks: they and the handler then run within the span. Probes have none.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const span = PROBES.has(route) ? null : beginRequest(request, route)
    if (span === null) return done()
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { statusCode, headersSent } = reply.raw
      const hasLeft = !reply.raw.writableFinished
      span.end({
        ...(headersSent && { labels: { 'http.response.status_code': statusCode } }),
        error: statusCode >= 500 ? String(statusCode) : hasLeft ? 'aborted' : undefined,
      })
    })
    span.run(done)
  })
  // Once more: the bytes of a body arrive outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  })
}

/** Returns the span of a request; undefined if it has none. */
export function spanOf(request: FastifyRequest): RunningSpan | undefined {
  return spans.get(request)
}

function beginRequest({ method, headers }: FastifyRequest, route: string): RunningSpan | null {
  const { traceparent } = headers
  return beginSpan({
    name: `${method} ${route}`,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    labels: { 'http.request.method': method, 'http.route': route },
  })
}

const PROBES = new Set(['/healthz', '/readyz'])
