import { isTracing } from '@lapwing/tracing'
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { discardRest, type RestLimits } from './discard-rest.ts'
import { closeConnectionsWhileDraining } from './drain.ts'
import { earlyErrors } from './early-errors.ts'
import { type ErrorAnswers, handleErrors } from './error-handler.ts'
import { createJsonParser } from './read-json.ts'
import { REQUEST_ID_HEADER, requestId } from './request-id.ts'
import { RequestLog } from './request-log.ts'
import { syncHook } from './sync-hook.ts'
import { traceRequests } from './trace-requests.ts'

export interface AppOptions extends ErrorAnswers {
  readonly logger: Logger
  /** Bytes of a JSON body; a route may allow more. */
  readonly bodyLimit?: number
  /** Milliseconds within which a whole request must arrive. */
  readonly requestTimeoutMs?: number
  /** Milliseconds within which the headers of a request must arrive. */
  readonly headersTimeoutMs?: number
  /** Milliseconds without a byte in either direction after which a connection is closed; 0 means never. */
  readonly idleTimeoutMs?: number
  /** Bytes of the request line and all headers together. */
  readonly maxHeaderBytes?: number
  /** Proxies whose `X-Forwarded-For` is trusted: addresses or networks. None by default. */
  readonly trustProxy?: readonly string[]
  /** How much of a body is still read after an early answer. */
  readonly rest?: RestLimits
  /** Headers of every answer, also of those before a route is found. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Creates a Fastify instance with everything that Lapwing processes share: ids, logs, problem documents,
 * limits.
 */
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
    // Longer than the gateway leaves a connection idle, so that it never sends into a closing one. Shorter than
    // `KEEP_SERVING_MS` of the chart.
    keepAliveTimeout: 8_000,
    http: {
      maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024,
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      // Node checks for late requests only this often. Its default would add half a minute to each limit.
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 2_000),
    },
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // During a drain, requests on open connections are still answered. So a restart behind a balancer causes
    // no errors.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: early.onFrameworkError,
    clientErrorHandler: early.onClientError,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  })
  if (isTracing()) traceRequests(app)
  app.addHook(
    'onRequest',
    syncHook((request, reply) => {
      early.watch(request.raw, reply.raw)
      reply.headers(headers)
      reply.header(REQUEST_ID_HEADER, request.id)
    }),
  )
  app.addContentTypeParser('application/json', { parseAs: 'string' }, createJsonParser(app, options.service))
  // Reads all of a file that is slightly too large, so that its driver gets the answer.
  discardRest(app, options.rest ?? { maxBytes: 128 * 1024 * 1024, maxMs: 5_000 })
  closeConnectionsWhileDraining(app)
  handleErrors(app, options)
  return app
}
