import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { discardRest, type RestLimits } from './discard-rest.ts'
import { earlyErrors } from './early-errors.ts'
import { type ErrorAnswers, handleErrors } from './error-handler.ts'
import { createJsonParser } from './read-json.ts'
import { REQUEST_ID_HEADER, requestId } from './request-id.ts'
import { RequestLog } from './request-log.ts'

export interface AppOptions extends ErrorAnswers {
  readonly logger: Logger
  /** Bytes of a JSON body; a route may ask for more. */
  readonly bodyLimit?: number
  /** Milliseconds in which a whole request must have arrived. */
  readonly requestTimeoutMs?: number
  /** Milliseconds in which the headers of a request must have arrived. */
  readonly headersTimeoutMs?: number
  /** Milliseconds without a byte in either direction after which a connection is closed; 0 is never. */
  readonly idleTimeoutMs?: number
  /** Milliseconds for which an idle connection is kept for its next request. */
  readonly keepAliveMs?: number
  /** Bytes of the request line and all headers together. */
  readonly maxHeaderBytes?: number
  /** Whose `X-Forwarded-For` is believed: addresses or networks. Nobody's by default. */
  readonly trustProxy?: readonly string[]
  /** What of a body is still read when its answer was given before its end. */
  readonly rest?: RestLimits
  /** Put on every answer, also on those given before a route is found. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A Fastify instance with what every Lapwing process shares: ids, logs, problem documents, limits. */
export function createApp(options: AppOptions): FastifyInstance {
  const requestTimeoutMs = options.requestTimeoutMs ?? 30_000
  const headersTimeoutMs = Math.min(options.headersTimeoutMs ?? 15_000, requestTimeoutMs)
  const headers = { 'x-content-type-options': 'nosniff', ...options.headers }
  const early = earlyErrors(options.service, options.errors, headers, options.writeError)
  const app = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new RequestLog(),
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: options.idleTimeoutMs ?? 0,
    // Longer than the gateway keeps its idle connections, so that it never sends into a closing one.
    keepAliveTimeout: options.keepAliveMs ?? 75_000,
    http: {
      maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024,
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      // Node looks for late requests only this often; its own default would add half a minute to each limit.
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 2_000),
    },
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // While it drains, a request that still comes in over an open connection is answered: a restart
    // behind a balancer then costs nobody an error.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: early.onFrameworkError,
    clientErrorHandler: early.onClientError,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  })
  app.addHook('onRequest', async (request, reply) => {
    early.watch(request.raw, reply.raw)
    reply.headers(headers)
    reply.header(REQUEST_ID_HEADER, request.id)
  })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, createJsonParser(app, options.service))
  // The whole of a file that is a little too large, so that its driver is told so.
  discardRest(app, options.rest ?? { maxBytes: 128 * 1024 * 1024, maxMs: 5_000 })
  closeConnectionsWhileDraining(app)
  handleErrors(app, options)
  return app
}

/**
 * Closing a server ends the connections that are idle at that moment. Those that were busy then
 * would be kept open for their client's next request, and hold up the end for as long.
 */
function closeConnectionsWhileDraining(app: FastifyInstance): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })
  // For answers whose headers were sent before the drain began.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (draining) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}
