import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import { AppError } from '@lapwing/http'
import type { SharedRedis } from '@lapwing/redis'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { browserGroup } from './browser-group.ts'
import { clientAddress, limitKey } from './client-address.ts'
import type { GatewayCode } from './errors.ts'
import { holderKey } from './find-principal.ts'
import type { Access, RateLimit, Route } from './routes.ts'
import { sharedCounts } from './shared-counts.ts'

/** Registers the rate limits. They are counted in Redis, so that all gateways share them (goal D-5). */
export async function addRateLimits(app: FastifyInstance, redis: SharedRedis | null): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    store: sharedCounts(redis),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError<GatewayCode>('gateway.rate_limited', {
        detail: `That was a little too often. Please try again in ${Math.max(1, Math.ceil(ttl / 1000))} s.`,
      }),
  })
}

/** Returns the hook that counts requests to a route, at all of its addresses together. */
export function rateLimitOf(
  app: FastifyInstance,
  { rateLimit, access }: Pick<Route, 'rateLimit' | 'access'>,
): onRequestAsyncHookHandler {
  const countClient = hookOf(app, rateLimit, request => clientKey(request, access))
  const { browsers } = rateLimit
  if (browsers === undefined) return countClient
  const { budget } = rateLimit
  const countBrowser = hookOf(app, { budget, ...browsers }, request =>
    [limitKey(clientAddress(request)), 'browsers', browserGroup(request)].join(' '),
  )
  return function (request, reply) {
    const count = browserGroup(request) === null ? countClient : countBrowser
    return count.call(this, request, reply)
  }
}

function hookOf(
  app: FastifyInstance,
  { budget, max, windowMs, maxAlone }: RateLimit,
  keyOf: (request: FastifyRequest) => string,
): onRequestAsyncHookHandler {
  const limit: RateLimitOptions & Pick<RateLimit, 'maxAlone'> = {
    max,
    timeWindow: windowMs,
    keyGenerator: request => `${budget} ${keyOf(request)}`,
    ...(maxAlone !== undefined && { maxAlone }),
  }
  return app.rateLimit(limit) as onRequestAsyncHookHandler
}

function clientKey(request: FastifyRequest, access: Access): string {
  return access === 'signed-in' && request.signedIn !== null
    ? holderKey(request.signedIn)
    : limitKey(clientAddress(request))
}
