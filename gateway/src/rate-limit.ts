import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { AppError } from '@lapwing/http'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { clientAddress, limitKey } from './client-address.ts'
import type { GatewayCode } from './errors.ts'
import type { Route } from './routes.ts'

/**
 * Prepares the limits of the route table. Counts live in this process unless `store` keeps them
 * elsewhere, which several gateways need to share one budget (goal D-5).
 */
export async function addRateLimits(app: FastifyInstance, store?: FastifyRateLimitStoreCtor): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    // Addresses remembered; beyond them the one unseen for longest is forgotten.
    cache: 50_000,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError<GatewayCode>('gateway.rate_limited', {
        detail: `That was a little too often. Please try again in ${Math.max(1, Math.ceil(ttl / 1000))} s.`,
      }),
    ...(store !== undefined && { store }),
  })
}

/** The hook that counts for one row, whichever of its addresses is asked. */
export function rateLimitOf(app: FastifyInstance, route: Route): onRequestAsyncHookHandler {
  return app.rateLimit({
    max: route.rateLimit.max,
    timeWindow: route.rateLimit.windowMs,
    keyGenerator: request => `${route.prefix} ${limitKey(clientAddress(request))}`,
  }) as onRequestAsyncHookHandler
}
