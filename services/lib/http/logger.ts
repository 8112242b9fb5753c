import { isTracing, traceFields } from '@lapwing/tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

/**
 * Returns a logger that writes one JSON line for each event to standard output. It writes nothing personal:
 * of a request only method and route pattern (a URL can hold a name or a token), of an answer the status.
 * With traces, a line has the id of the trace in which it was written.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    ...(isTracing() && { mixin: traceFields }),
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        route: request.routeOptions?.url ?? 'none',
      }),
      res: (reply: FastifyReply) => ({ status: reply.statusCode }),
      err: stdSerializers.err,
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
