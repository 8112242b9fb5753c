import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, Pool } from 'undici'

/** Key among the headers under which `forward.ts` passes its abort signal. */
export const stopSignal = Symbol('stop signal')

/** Key among the headers under which `forward.ts` passes a body that was read whole, or null. */
export const wholeBody = Symbol('whole body')

const defaultLimits = {
  /** Connections to one service. Requests beyond them wait for one. */
  connections: 128,
  connectTimeoutMs: 3_000,
  /** Shorter than the 75 s after which a service closes an idle connection. */
  keepAliveMs: 30_000,
}

export interface Upstream {
  readonly origin: string
  /** Sends the requests of `@fastify/reply-from`. */
  readonly dispatcher: { readonly request: Dispatcher['request'] }
  /** Returns the outcome of the last exchange. */
  readonly state: () => 'unknown' | 'up' | 'down'
  readonly close: () => Promise<void>
}

/**
 * Opens a bounded pool of connections to one service. It adds what `@fastify/reply-from` lacks: a request can
 * be aborted, and an answer with an impossible status is a failure. Its undici is version 8: version 7 ends the
 * process if a service closes a connection while the reader of the answer pauses.
 */
export function openUpstream(address: URL, limitOverrides: Partial<typeof defaultLimits> = {}): Upstream {
  const limits = { ...defaultLimits, ...limitOverrides }
  const pool = new Pool(address.origin, {
    connections: limits.connections,
    pipelining: 1,
    connect: { timeout: limits.connectTimeoutMs },
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMs,
  })
  let state: 'unknown' | 'up' | 'down' = 'unknown'

  function request(options: Dispatcher.RequestOptions, done: RequestDone): void {
    const {
      [stopSignal]: signal,
      [wholeBody]: whole,
      ...headers
    } = options.headers as IncomingHttpHeaders & {
      [stopSignal]?: AbortSignal
      [wholeBody]?: Buffer | null
    }
    const body = whole ?? options.body ?? null
    pool.request({ ...options, body, headers, signal: signal ?? null }, (error, answer) => {
      // The client left or already has another answer. This is no error.
      if (signal?.aborted) {
        answer?.body?.on('error', () => {}).destroy()
        return
      }
      if (error !== null) {
        if (isConnectionFailure(error)) state = 'down'
        done(error, answer)
        return
      }
      state = 'up'
      if (answer.statusCode >= 200 && answer.statusCode <= 599) {
        done(null, answer)
        return
      }
      answer.body.on('error', () => {}).destroy()
      done(new Error(`the service answered ${answer.statusCode}`), answer)
    })
  }

  return {
    origin: address.origin,
    dispatcher: { request: request as Dispatcher['request'] },
    state: () => state,
    close: () => pool.close(),
  }
}

/** Returns whether the exchange failed because the connection failed, not because of a message on it. */
export function isConnectionFailure(error: unknown): boolean {
  return CONNECTION_FAILURES.has(String((error as { code?: unknown } | null)?.code))
}

const CONNECTION_FAILURES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
])

type RequestDone = (error: Error | null, answer: Dispatcher.ResponseData) => void
