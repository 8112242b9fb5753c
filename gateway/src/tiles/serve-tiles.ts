import type { IncomingHttpHeaders } from 'node:http'
import { AppError, allowOnly, matchesTag } from '@lapwing/http'
import { Counter } from '@lapwing/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createBodyRooms } from '../body-room.ts'
import { clientAddress, limitKey } from '../client-address.ts'
import type { GatewayCode } from '../errors.ts'
import { rateLimitOf } from '../rate-limit.ts'
import { createSlots, holdersOf } from '../slots.ts'
import { type FetchLimits, type Miss, openTileSource, type Picture, type TilePlace } from './fetch-tile.ts'
import { createSharedWork } from './share-work.ts'
import { createTileQueue } from './tile-queue.ts'
import type { TileSource } from './tile-sources.ts'
import { createTileStore, type StoredTile } from './tile-store.ts'

export interface TileOptions {
  readonly sources: readonly TileSource[]
  readonly publicOrigin: URL
  readonly version: string
  readonly limits?: Partial<typeof defaultLimits>
}

const defaultLimits = {
  /** Requests of the gateway to one source at the same time. */
  connections: 6,
  /** Milliseconds that a tile may take at its source. */
  timeoutMs: 4_000,
  /** Bytes of one picture. */
  bytes: 2 * 1024 * 1024,
  /** Milliseconds that a tile may wait for its turn. */
  waitMs: 4_000,
  /** Requests in progress, and those of one network. A page behind a proxy with HTTP/2 asks for 50 together. */
  concurrency: 256,
  share: 64,
  /** Bytes of all pictures that clients have not read yet, and of those of one network. */
  unreadBytes: 64 * 1024 * 1024,
  unreadBytesPerClient: 16 * 1024 * 1024,
  /** Bytes of all pictures in memory. */
  storedBytes: 32 * 1024 * 1024,
  /** A large screen shows 60 tiles, and each step of the zoom loads as many. */
  rateLimit: { budget: 'tiles', max: 2_400, windowMs: 60_000 },
} satisfies FetchLimits & Record<string, unknown>

const tiles = new Counter({
  name: 'lapwing_tiles_total',
  help: 'Tiles that passed through the gateway, by source and by where they came from or why they did not.',
  labelNames: ['source', 'outcome'],
})

type Outcome = Picture['outcome'] | 'stored' | 'shared' | 'not_modified' | 'over_budget' | Miss

/** Outcomes that an operator must know of: the source or its key needs care. */
const FAULTS: ReadonlySet<Outcome> = new Set([
  'over_budget',
  'refused',
  'failed',
  'timed_out',
  'too_large',
  'no_picture',
])

const DAY_MS = 24 * 60 * 60_000

/** A broken source fails with each tile, and would fill the log. */
const WARN_EVERY_MS = 10 * 60_000

/**
 * Serves raster tiles of the configured sources at `/tiles/<source>/<z>/<x>/<y>`. The key of a source stays here. A
 * tile that does not come is 204, so that a map shows what lies below it.
 */
export async function serveTiles(app: FastifyInstance, options: TileOptions): Promise<void> {
  const limits = { ...defaultLimits, ...options.limits }
  const store = createTileStore(limits.storedBytes)
  const takeSlot = createSlots({ max: limits.concurrency, share: limits.share })
  const roomFor = createBodyRooms({ bytes: limits.unreadBytes, bytesPerClient: limits.unreadBytesPerClient })
  const countRequest = rateLimitOf(app, { rateLimit: limits.rateLimit, access: 'public' })

  for (const source of options.sources) {
    const { fetchTile, close } = openTileSource(source, headersToSource(options), limits)
    app.addHook('onClose', close)
    const inTurn = createTileQueue(limits.connections, limits.waitMs)
    const isStoring = source.cache === 'http'
    const share = createSharedWork<Loaded>()
    // One count for all clients, and for all gateways with one Redis.
    const countSent =
      source.daily === 0
        ? null
        : app.createRateLimit({
            max: source.daily,
            timeWindow: DAY_MS,
            keyGenerator: () => `tiles of ${source.name}`,
          })
    const warnedAtMs = new Map<Outcome, number>()

    function note(outcome: Outcome): void {
      tiles.inc({ source: source.name, outcome })
      const sinceMs = performance.now() - (warnedAtMs.get(outcome) ?? Number.NEGATIVE_INFINITY)
      if (!FAULTS.has(outcome) || sinceMs < WARN_EVERY_MS) return
      warnedAtMs.set(outcome, performance.now())
      app.log.warn({ source: source.name, outcome }, 'tiles of this source do not come')
    }

    /** Returns the picture from memory or from the source. Rejects if the client leaves or the queue is full. */
    async function load(place: TilePlace, request: FastifyRequest, gone: AbortSignal): Promise<Loaded> {
      const key = `${source.name} ${place.z}/${place.x}/${place.y}`
      const stored = isStoring ? store.get(key) : undefined
      if (stored !== undefined && store.isFresh(stored)) {
        note('stored')
        return { picture: { ...stored.picture, headers: store.headersOf(stored) } }
      }
      const conditions = stored === undefined ? conditionsOf(request.headers) : store.conditionsOf(stored)
      const ask = (gone: AbortSignal) => fetchAndStore(key, place, conditions, stored, request, gone)
      if (!isStoring) return ask(gone)
      const { value, isOwn } = await share(`${key} ${JSON.stringify(conditions)}`, ask, gone)
      if (isOwn) return value
      // What no shared cache may store is for one client alone (RFC 9111 section 3).
      if (value.picture !== null && store.get(key) === undefined) return ask(gone)
      note('shared')
      return value
    }

    async function fetchAndStore(
      key: string,
      place: TilePlace,
      conditions: Readonly<Record<string, string>>,
      stored: StoredTile | undefined,
      request: FastifyRequest,
      gone: AbortSignal,
    ): Promise<Loaded> {
      const fetched = await inTurn(async () => {
        const sent = await countSent?.(request)
        if (sent && !sent.isAllowed && sent.isExceeded) return { outcome: 'over_budget' as const }
        return fetchTile(place, conditions, gone)
      }, gone)
      note(fetched.outcome)
      if (fetched.outcome === 'picture') {
        return { picture: isStoring ? store.add(key, fetched).picture : fetched }
      }
      if (fetched.outcome !== 'not_modified') return { picture: null }
      return stored === undefined
        ? { picture: null, current: fetched.headers }
        : { picture: store.renew(key, stored, fetched.headers).picture }
    }

    app.get<{ Params: Params }>(
      `/tiles/${source.name}/:z/:x/:y`,
      { onRequest: countRequest },
      async (request, reply) => {
        const place = readPlace(request.params, source.maxZoom)
        if (place === null) throw new AppError<GatewayCode>('gateway.tile_out_of_range')
        const gone = new AbortController()
        const network = limitKey(clientAddress(request))
        const releases: (() => void)[] = []
        reply.raw.once('close', () => {
          gone.abort()
          for (const release of releases) release()
        })
        // `close` is over, so no slot taken now would be released.
        if (reply.raw.closed) return reply.hijack()
        releases.push(takeSlot(holdersOf(request, 'public', network)))
        const loaded = await load(place, request, gone.signal).catch((error: unknown) => {
          if (!gone.signal.aborted) throw error
        })
        if (loaded === undefined || gone.signal.aborted) return reply.hijack()
        const room = roomFor(network)
        releases.push(room.release)
        room.grow(loaded.picture?.bytes.length ?? 0)
        return send(request, reply, loaded)
      },
    )
    allowOnly(app, 'gateway', `/tiles/${source.name}/:z/:x/:y`, ['GET'])
  }
  app.all('/tiles/*', async () => {
    throw new AppError<GatewayCode>('gateway.not_found')
  })
}

interface Params {
  readonly z: string
  readonly x: string
  readonly y: string
}

interface Loaded {
  /** Null if the client's copy is current, or if there is no picture. */
  readonly picture: Picture | null
  /** Headers of a confirmation that the client's copy is current. */
  readonly current?: IncomingHttpHeaders
}

/** Parses a place in its one spelling. Returns null if it is outside of the map. */
function readPlace(params: Params, maxZoom: number): TilePlace | null {
  if (!Object.values(params).every(part => /^(?:0|[1-9]\d{0,7})$/.test(part))) return null
  const [z, x, y] = [Number(params.z), Number(params.x), Number(params.y)]
  return z <= maxZoom && x < 2 ** z && y < 2 ** z ? { z, x, y } : null
}

/** Some providers ask for a program's name, and some restrict keys by the site. Clients stay unknown to them. */
function headersToSource({ publicOrigin, version }: TileOptions): Readonly<Record<string, string>> {
  return {
    'user-agent': `Lapwing/${version.replace(/[^\w.+-]/g, '')} (+${publicOrigin.origin})`,
    referer: `${publicOrigin.origin}/`,
    accept: 'image/*',
    'accept-encoding': 'identity',
  }
}

/** Conditions of a browser that pass on to the source: one tag, or a date. */
function conditionsOf(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const tag = headers['if-none-match']
  // Written in its one form: `Date.parse` accepts any text in brackets, and a source can reject that.
  const date = new Date(headers['if-modified-since'] ?? '')
  return {
    ...(tag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(tag) && { 'if-none-match': tag }),
    ...(!Number.isNaN(date.getTime()) && { 'if-modified-since': date.toUTCString() }),
  }
}

/** Headers of the source that reach the client. */
const PASSED = ['cache-control', 'expires', 'etag', 'last-modified', 'age'] as const

function send(request: FastifyRequest, reply: FastifyReply, { picture, current }: Loaded): FastifyReply {
  const headers = picture?.headers ?? current
  if (headers === undefined) return reply.code(204).header('cache-control', 'no-store').send()
  for (const name of PASSED) if (headers[name] !== undefined) reply.header(name, headers[name])
  // Without a word of the source, the browser asks each time.
  if (headers['cache-control'] === undefined && headers.expires === undefined) {
    reply.header('cache-control', 'no-cache')
  }
  if (picture === null || isCurrent(request.headers, headers)) return reply.code(304).send()
  return reply.type(picture.type).send(picture.bytes)
}

/** Returns whether the client's copy is current (RFC 9110 section 13.2.2). */
function isCurrent(asked: IncomingHttpHeaders, { etag, 'last-modified': modified }: IncomingHttpHeaders) {
  if (asked['if-none-match'] !== undefined) {
    return etag !== undefined && matchesTag(asked['if-none-match'], etag)
  }
  const [since, at] = [asked['if-modified-since'], modified].map(date => Date.parse(date ?? ''))
  return at! <= since!
}
