import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

/**
 * One JSON line an event on standard output. Nothing personal is written: of a request only the
 * method and the route's pattern (an address can hold a name or a token), of an answer the status.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
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
