import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { AppError } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { clientKey } from './client-key.ts'

/** Adds the form parser and the rate limit. */
export function addPlugins(app: FastifyInstance): void {
  // Without this, Fastify reads a JSON or text body before the type is rejected.
  app.removeAllContentTypeParsers()
  app.register(multipart, { throwFileSizeLimit: false })
  app.register(rateLimit, { global: false, addHeaders: noHeaders, addHeadersOnExceeding: noHeaders })
}

/** Returns the limit that all paths of an operation share, also the older path. */
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

/** The contract has only `Retry-After`, which `errorResponseBuilder` sets. */
const noHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}
