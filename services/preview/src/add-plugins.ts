import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { AppError } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { clientKey } from './client-key.ts'

export function addPlugins(app: FastifyInstance): void {
  // A JSON or text body would otherwise be read before it is refused.
  app.removeAllContentTypeParsers()
  app.register(multipart, { throwFileSizeLimit: false })
  app.register(rateLimit, { global: false, addHeaders: noHeaders, addHeadersOnExceeding: noHeaders })
}

/** One limiter for all of an operation's addresses: the older address is no second helping. */
export function limitRate(app: FastifyInstance, perMinute: number) {
  return app.rateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: clientKey,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('preview.rate_limited', {
        headers: { 'retry-after': String(Math.max(1, Math.ceil(ttl / 1000))) },
      }),
  })
}

/** The contract promises `Retry-After` alone, and `errorResponseBuilder` sets it. */
const noHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}
