import { AppError, addHealth, allowOnly, createApp } from '@lapwing/http'
import type { SharedRedis } from '@lapwing/redis'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createAskOrigin } from './ask-origin.ts'
import { addAuthorisation } from './authorise.ts'
import { createBodyRooms } from './body-room.ts'
import { boundConnections } from './bound-connections.ts'
import { addressMatcher } from './client-address.ts'
import type { Config } from './config.ts'
import { createCrossOriginReaders } from './cross-origin-readers.ts'
import { cutSlowReaders } from './cut-slow-readers.ts'
import { errors, type GatewayCode } from './errors.ts'
import type { FindPrincipal } from './find-principal.ts'
import { forward } from './forward.ts'
import { logoOrigins, mapOrigins } from './map-sources.ts'
import { addPageConfig, pageConfig } from './page-config.ts'
import { refuseAmbiguous } from './plain-request.ts'
import { addRateLimits } from './rate-limit.ts'
import { routes as allRoutes, type Route, routeAddresses, type UpstreamName } from './routes.ts'
import { securityHeaders } from './security-headers.ts'
import { hasPage, staticSite } from './static-site.ts'
import { serveTiles, type TileOptions } from './tiles/serve-tiles.ts'
import type { Upstream } from './upstream.ts'
import { writeError } from './write-error.ts'

export interface Deps {
  readonly config: Pick<
    Config,
    | 'accounts'
    | 'boards'
    | 'frontendDir'
    | 'mapSources'
    | 'maxConnectionsPerAddress'
    | 'pageMaps'
    | 'pagePreview'
    | 'publicOrigin'
    | 'tileSources'
    | 'trustedProxies'
    | 'version'
  >
  readonly logger: Logger
  /** Routes of a service that is absent here are not served. */
  readonly upstreams: Readonly<Partial<Record<UpstreamName, Upstream>>>
  readonly routes?: readonly Route[]
  /** Null without accounts. */
  readonly findPrincipal: FindPrincipal | null
  /** Counts the rate limits for all gateways; null if this one counts alone. */
  readonly redis: SharedRedis | null
  readonly limits?: Partial<typeof defaultLimits>
  readonly tileLimits?: TileOptions['limits']
}

const defaultLimits = {
  /** Long enough for 100 MB at 1 Mbit/s. */
  requestTimeoutMs: 15 * 60_000,
  headersTimeoutMs: 10_000,
  /** Longer than the time-out of any route: a client that waits for its answer is silent for that long. */
  idleTimeoutMs: 120_000,
  maxHeaderBytes: 16 * 1024,
  connections: 10_000,
  /** Milliseconds for a body that is read whole. */
  bodyMs: 5_000,
  /** Bytes of all bodies that are read whole, and of those of one client. */
  bodyBytes: 64 * 1024 * 1024,
  bodyBytesPerClient: 2 * 1024 * 1024,
  /** Milliseconds for which a client may leave its answer unread. */
  unreadMs: 30_000,
  /** Bytes a second. A client that reads more slowly uses its `unreadMs` up. */
  readBytesPerS: 16 * 1024,
  /** Milliseconds until an idle connection of a client closes. A trusted proxy's stays open for 75 s. */
  keepAliveMs: 10_000,
}

/** Builds the gateway: the page and the product's API on one origin. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config, upstreams, routes = allRoutes } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const identityOrigin = config.accounts?.identityPublicUrl?.origin ?? null
  const storeOrigin = config.boards?.objectStorePublicUrl.origin ?? null
  const has3dTiles = config.mapSources.photo.length > 0
  const ownHeaders = securityHeaders(config.publicOrigin, {
    // The page calls identity, posts files to the object store, and fetches the pictures of maps.
    'connect-src': [
      identityOrigin,
      storeOrigin,
      ...mapOrigins(config.mapSources),
      // The pictures inside a 3D tile.
      has3dTiles ? 'blob:' : null,
    ].filter(origin => origin !== null),
    'img-src': logoOrigins(config.mapSources),
    // 3D tiles can be compressed with Draco, whose decoder is WebAssembly in a worker.
    'script-src': has3dTiles ? ["'wasm-unsafe-eval'"] : [],
    'worker-src': has3dTiles ? ['blob:'] : [],
    // A social sign-in leaves the page for identity.
    'form-action': [identityOrigin].filter(origin => origin !== null),
  })
  const app = createApp({
    service: 'gateway',
    errors,
    writeError,
    logger: deps.logger,
    trustProxy: config.trustedProxies,
    headers: ownHeaders,
    ...limits,
  })
  app.server.maxConnections = limits.connections
  boundConnections(app.server, {
    isTrusted: addressMatcher(config.trustedProxies),
    most: limits.connections,
    mostPerClient: config.maxConnectionsPerAddress,
    idleMs: limits.keepAliveMs,
  })
  cutSlowReaders(app.server, { unreadMs: limits.unreadMs, bytesPerS: limits.readBytesPerS })

  app.addHook('onRequest', refuseAmbiguous)
  await addRateLimits(app, deps.redis)
  const authorise = addAuthorisation(app, deps.findPrincipal)

  addHealth(
    app,
    { page: () => hasPage(config.frontendDir), routes: () => routes.length > 0 },
    {
      shown: {
        upstreams: () => statesOf(upstreams),
        redis: () => (deps.redis === null ? 'none' : deps.redis.isUp() ? 'up' : 'down'),
      },
    },
  )
  addPageConfig(app, pageConfig(config))
  const roomFor = createBodyRooms({ bytes: limits.bodyBytes, bytesPerClient: limits.bodyBytesPerClient })
  for (const [name, upstream] of Object.entries(upstreams)) {
    await app.register(forward, {
      upstream,
      routes: routes.filter(route => route.upstream === name),
      authorise,
      publicOrigin: config.publicOrigin,
      readers:
        name === 'identity'
          ? createCrossOriginReaders({
              known: identityOrigin === null ? [] : [config.publicOrigin.origin],
              ask: createAskOrigin(upstream),
            })
          : null,
      ownHeaders,
      roomFor,
      bodyMs: limits.bodyMs,
    })
  }
  const missing = routes.filter(
    ({ upstream, protocol }) => !(upstream in upstreams) && protocol === 'sign-in',
  )
  for (const address of new Set(missing.flatMap(routeAddresses))) app.all(address, notFound)
  app.all('/api/*', notFound)
  app.all('/api', notFound)
  if (config.tileSources.length > 0) {
    await app.register(serveTiles, {
      sources: config.tileSources,
      publicOrigin: config.publicOrigin,
      version: config.version,
      limits: deps.tileLimits ?? {},
    })
  }
  allowOnly(app, 'gateway', '/*', ['GET', 'HEAD'])
  await app.register(staticSite, { folder: config.frontendDir })
  return app
}

async function notFound(): Promise<never> {
  throw new AppError<GatewayCode>('gateway.not_found')
}

function statesOf(upstreams: Deps['upstreams']) {
  return Object.fromEntries(Object.entries(upstreams).map(([name, upstream]) => [name, upstream.state()]))
}
