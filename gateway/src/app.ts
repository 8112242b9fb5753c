import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { AppError, addHealth, allowOnly, createApp } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { errors, type GatewayCode } from './errors.ts'
import { forward } from './forward.ts'
import { addPageConfig, pageConfig } from './page-config.ts'
import { refuseAmbiguous } from './plain-request.ts'
import { addRateLimits } from './rate-limit.ts'
import { routes as allRoutes, type Route, type UpstreamName } from './routes.ts'
import { type ExtraSources, securityHeaders } from './security-headers.ts'
import { hasPage, staticSite } from './static-site.ts'
import type { Upstream } from './upstream.ts'

export interface Deps {
  readonly config: Omit<Config, 'host' | 'port' | 'drainMs' | 'logLevel' | 'previewUrl'>
  readonly logger: Logger
  readonly upstreams: Readonly<Record<UpstreamName, Upstream>>
  readonly routes?: readonly Route[]
  /** Keeps the counts of the rate limits; in this process's memory when left out. */
  readonly rateLimitStore?: FastifyRateLimitStoreCtor
  /** What the content security policy allows beside the page's own origin. */
  readonly extraSources?: ExtraSources
  readonly limits?: Partial<typeof defaultLimits>
}

const defaultLimits = {
  /** Long enough for 100 MB at 1 Mbit/s. */
  requestTimeoutMs: 15 * 60_000,
  headersTimeoutMs: 10_000,
  /** Longer than any row's time-out, as a client waits in silence for that long. */
  idleTimeoutMs: 120_000,
  maxHeaderBytes: 16 * 1024,
  connections: 10_000,
}

/** The gateway: the page and the product's API on one origin. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config, upstreams, routes = allRoutes } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const ownHeaders = securityHeaders(config.publicOrigin, deps.extraSources)
  const app = createApp({
    service: 'gateway',
    errors,
    logger: deps.logger,
    trustProxy: config.trustedProxies,
    headers: ownHeaders,
    ...limits,
  })
  app.server.maxConnections = limits.connections

  app.addHook('onRequest', refuseAmbiguous)
  await addRateLimits(app, deps.rateLimitStore)

  addHealth(
    app,
    { page: () => hasPage(config.frontendDir), routes: () => routes.length > 0 },
    { shown: { upstreams: () => states(upstreams) } },
  )
  addPageConfig(app, pageConfig(config))
  for (const [name, upstream] of Object.entries(upstreams)) {
    await app.register(forward, {
      upstream,
      routes: routes.filter(route => route.upstream === name),
      publicOrigin: config.publicOrigin,
      ownHeaders,
    })
  }
  app.all('/api/*', notFound)
  app.all('/api', notFound)
  allowOnly(app, 'gateway', '/*', ['GET', 'HEAD'])
  await app.register(staticSite, { folder: config.frontendDir })
  return app
}

async function notFound(): Promise<never> {
  throw new AppError<GatewayCode>('gateway.not_found')
}

function states(upstreams: Deps['upstreams']) {
  return Object.fromEntries(Object.entries(upstreams).map(([name, upstream]) => [name, upstream.state()]))
}
