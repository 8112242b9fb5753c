import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorTable } from './app-error.ts'
import { handleErrors } from './error-handler.ts'
import { requestId, requestIdHeader } from './request-id.ts'

export interface AppOptions {
  /** The service's name, first part of each of its error codes. */
  readonly service: string
  readonly errors: ErrorTable
  readonly logger: Logger
  /** Bytes of a JSON body; a route may ask for more. */
  readonly bodyLimit?: number
  /** Milliseconds in which a whole request must have arrived. */
  readonly requestTimeoutMs?: number
  /** Whose `X-Forwarded-For` is believed: addresses or networks. Nobody's by default. */
  readonly trustProxy?: string[]
}

/** A Fastify instance with what every Lapwing process shares: ids, logs, problem documents, limits. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    genReqId: requestId,
    requestIdHeader: false,
    requestIdLogLabel: 'request_id',
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    connectionTimeout: 0,
    // Longer than the gateway keeps its idle connections, so that it never sends into a closing one.
    keepAliveTimeout: 75_000,
    trustProxy: options.trustProxy ?? false,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id)
    reply.header('x-content-type-options', 'nosniff')
  })
  handleErrors(app, options.service, options.errors)
  return app
}
