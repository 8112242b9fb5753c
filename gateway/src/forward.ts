import type { Readable } from 'node:stream'
import replyFrom, { type FastifyReplyFromOptions } from '@fastify/reply-from'
import { AppError, allowOnly, spanOf, syncHook } from '@lapwing/http'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify'
import type { Authorise } from './authorise.ts'
import type { BodyRoom } from './body-room.ts'
import { clientAddress, limitKey } from './client-address.ts'
import type { CrossOriginReaders } from './cross-origin-readers.ts'
import type { GatewayCode } from './errors.ts'
import { clientHeaders, serviceHeaders } from './forward-headers.ts'
import { limitBody } from './limit-body.ts'
import { rateLimitOf } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { covers, type Route, routeAddresses } from './routes.ts'
import { createSlots, holdersOf } from './slots.ts'
import { Stop } from './stop.ts'
import { isConnectionFailure, stopKey, type Upstream, wholeBody } from './upstream.ts'

export interface ForwardOptions {
  readonly upstream: Upstream
  readonly routes: readonly Route[]
  readonly authorise: (route: Pick<Route, 'access' | 'scope'>) => Authorise
  readonly publicOrigin: URL
  /** What lets pages of other origins read the gateway's errors; null for services that only the page calls. */
  readonly readers: CrossOriginReaders | null
  /** Headers that the gateway sets on every answer. */
  readonly ownHeaders: Readonly<Record<string, string>>
  /** Opens room in memory for a body of that client, on routes that read bodies whole. */
  readonly roomFor: (client: string) => BodyRoom
  /** Milliseconds in which a body that is read whole must arrive. */
  readonly bodyMs: number
}

/**
 * Forwards the routes of one upstream to it. Large bodies pass as streams. Small ones are read whole before
 * the request takes a slot of its route, so that no client blocks a route by sending slowly.
 */
export async function forward(app: FastifyInstance, options: ForwardOptions): Promise<void> {
  await app.register(replyFrom, {
    base: options.upstream.origin,
    // Its types are of undici 7. It only calls `request`, which is the same in 8.
    undici: options.upstream.dispatcher as NonNullable<FastifyReplyFromOptions['undici']>,
    disableRequestLogging: true,
  })
  // Bodies of every content type pass unread.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  // Also for methods that no route has.
  if (options.readers !== null) {
    app.addHook('onRequest', options.readers.allow)
    app.addHook('onError', options.readers.allowError)
  }

  const takeServiceSlot = createSlots({ max: Number.POSITIVE_INFINITY, share: largestShare(options.routes) })
  for (const route of options.routes) {
    const { identify, enforce } = options.authorise(route)
    const onRequest = [identify, rateLimitOf(app, route), enforce, refuseStatedLength(route)].filter(
      hook => hook !== null,
    )
    const takeRouteSlot = createSlots({ max: route.concurrency, share: route.share })
    const preHandler: preHandlerAsyncHookHandler = async (request, reply) => {
      const releases: (() => void)[] = []
      reply.raw.once('close', () => {
        for (const release of releases) release()
      })
      const network = limitKey(clientAddress(request))
      if (route.body === 'whole' && request.body !== undefined && !reply.raw.closed) {
        const room = options.roomFor(network)
        releases.push(room.release)
        const limits = { bytes: route.bodyLimit, deadlineMs: options.bodyMs }
        request.body = await readBody(request.raw, limits, room)
      }
      // The client has left. `close` is over, so no slot taken now would be released.
      if (request.body === null || reply.raw.closed) {
        reply.hijack()
        return
      }
      const holders = holdersOf(request, route.access, network)
      releases.push(takeRouteSlot(holders))
      releases.push(takeServiceSlot(holders))
    }
    for (const address of routeAddresses(route)) {
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        pass(request, reply, route, address, options)
      app.route({ method: [...route.methods], url: address, onRequest, preHandler, handler })
    }
  }
  for (const address of new Set(options.routes.flatMap(routeAddresses))) {
    const rows = options.routes.filter(route => covers(route, address))
    allowOnly(app, 'gateway', address, [...new Set(rows.flatMap(({ methods }) => methods))])
  }
}

function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  address: string,
  { publicOrigin, ownHeaders, readers, upstream }: ForwardOptions,
): FastifyReply {
  const stop = new Stop()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) stop.abort(new Error('the client has left'))
  })
  stop.once('abort', () => {
    const { reason } = stop
    if (reason instanceof AppError && !reply.raw.headersSent) reply.send(reason)
  })
  const readsCredentials = route.protocol === 'sign-in'
  const hasBody = request.body !== undefined
  const whole = Buffer.isBuffer(request.body) ? request.body : null
  // `@fastify/reply-from` would write a body that is no stream as JSON.
  if (hasBody) request.body = whole === null ? limitBody(request.raw, route.bodyLimit, stop) : undefined

  // The address of the table, not the client's spelling: `/api/%70review` reaches the service as
  // `/api/preview`.
  return reply.from(address.endsWith('/*') ? pathname(request) : address, {
    timeout: route.timeoutMs,
    rewriteRequestHeaders: (_request, sent) =>
      Object.assign(
        serviceHeaders(sent, {
          requestId: request.id,
          traceparent: spanOf(request)?.traceparent ?? null,
          clientAddress: clientAddress(request),
          publicOrigin,
          hasBody,
          identity: request.signedIn?.identity ?? null,
          readsCredentials,
        }),
        { [stopKey]: stop, [wholeBody]: whole },
      ),
    rewriteHeaders: answered => {
      readers?.learn(address, answered)
      return clientHeaders(answered, ownHeaders, { readsCredentials })
    },
    onResponse: (_request, _reply, answer) => {
      // Set if the client is still sending, to close its connection. `createApp` reads the rest of the body
      // instead, so that the client receives the answer.
      reply.removeHeader('connection')
      sendAnswer(reply, (answer as unknown as { stream: Readable }).stream)
    },
    retryDelay: ({ err, attempt }) =>
      attempt === 0 &&
      !hasBody &&
      IDEMPOTENT.has(request.method) &&
      isConnectionFailure(err) &&
      upstream.takeRetry()
        ? RETRY_AFTER_MS
        : null,
    onError: (_reply, { error }) => {
      reply.send(toAppError(error.cause ?? error))
    },
  })
}

/**
 * Sends the body of an answer. If all of it arrived together with its headers, as small ones do, it is sent whole:
 * that is cheaper than a stream. Never waits for bytes.
 */
function sendAnswer(reply: FastifyReply, body: Readable): void {
  // Fastify names a type for a buffer that has none.
  const length = reply.hasHeader('content-type') ? Number(reply.getHeader('content-length')) : 0
  if (!(length > 0 && length <= body.readableHighWaterMark)) {
    reply.send(body)
    return
  }
  // undici reports the headers before it reads on in the same piece of the connection.
  queueMicrotask(() => reply.send(body.readableLength === length ? body.read(length) : body))
}

/** RFC 9110 section 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
const RETRY_AFTER_MS = 20

function pathname(request: FastifyRequest): string {
  return request.raw.url!.split('?', 1)[0]!
}

/** Returns the share of one client over all routes of a service, so that it cannot hold all connections. */
function largestShare(routes: readonly Route[]): number | undefined {
  const shares = routes.flatMap(({ share }) => share ?? [])
  return shares.length === 0 ? undefined : 2 * Math.max(...shares)
}

/** Rejects a body whose stated length is over the limit before a byte of it is read. */
function refuseStatedLength(route: Route): onRequestHookHandler {
  return syncHook(request => {
    if (Number(request.headers['content-length'] ?? 0) > route.bodyLimit)
      throw new AppError<GatewayCode>('gateway.body_too_large')
  })
}

function toAppError(cause: unknown): AppError<GatewayCode> {
  if (cause instanceof AppError) return cause
  const code = codesOfFailures[String((cause as { code?: unknown }).code)] ?? 'gateway.upstream_unavailable'
  return new AppError<GatewayCode>(code, {
    cause,
    ...(code === 'gateway.upstream_unavailable' && { headers: { 'retry-after': '5' } }),
  })
}

/** Error codes of failures other than a failed connection. */
const codesOfFailures: Readonly<Record<string, GatewayCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'gateway.upstream_timeout',
  UND_ERR_BODY_TIMEOUT: 'gateway.upstream_timeout',
  // A header or a query that is not valid HTTP.
  UND_ERR_INVALID_ARG: 'gateway.bad_request',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'gateway.bad_request',
}
