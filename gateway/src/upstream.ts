import type { IncomingHttpHeaders } from 'node:http'
import { Counter } from '@lapwing/metrics'
import { type Dispatcher, Pool } from 'undici'
import { circuitConnector } from './circuit-connector.ts'
import { createRetryBudget } from './retry-budget.ts'
import type { Stop } from './stop.ts'

/** Key among the headers under which a request passes its `Stop`. */
export const stopKey = Symbol('stop')

/** Key among the headers under which `forward.ts` passes a body that was read whole, or null. */
export const wholeBody = Symbol('whole body')

const defaultLimits = {
  /** Connections to one service. Requests beyond them wait for one. */
  connections: 128,
  connectTimeoutMs: 3_000,
  /** Milliseconds for which no connection is tried after the circuit has opened. */
  openMs: 1_000,
  /** Shorter than the 8 s after which a service closes an idle connection. */
  keepAliveMs: 5_000,
}

export interface Upstream {
  readonly origin: string
  /** Sends the requests of `@fastify/reply-from`. */
  readonly dispatcher: { readonly request: Dispatcher['request'] }
  /** Returns the outcome of the last exchange. */
  readonly state: () => 'unknown' | 'up' | 'down'
  /** Returns whether a request that failed may be sent once more, and counts it. */
  readonly takeRetry: () => boolean
  readonly close: () => Promise<void>
}

const retries = new Counter({
  name: 'lapwing_retries_total',
  help: 'Requests whose connection failed, by whether they were sent once more or the budget was spent.',
  labelNames: ['upstream', 'outcome'],
})

const opened = new Counter({
  name: 'lapwing_circuit_opened_total',
  help: 'How often the gateway stopped to connect to a service, because most connections failed.',
  labelNames: ['upstream'],
})

/**
 * Opens a bounded pool of connections to one service. It adds what `@fastify/reply-from` lacks: a request can
 * be aborted, an answer with an impossible status is a failure, and both connections and retries stop when a
 * service is away. Its undici is version 8: version 7 ends the process if a service closes a connection while
 * the reader of the answer pauses.
 */
export function openUpstream(
  name: string,
  address: URL,
  limitOverrides: Partial<typeof defaultLimits> = {},
): Upstream {
  const limits = { ...defaultLimits, ...limitOverrides }
  const budget = createRetryBudget()
  const pool = new Pool(address.origin, {
    connections: limits.connections,
    pipelining: 1,
    connect: circuitConnector({
      timeoutMs: limits.connectTimeoutMs,
      openMs: limits.openMs,
      onOpen: () => opened.inc({ upstream: name }),
    }),
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMs,
  })
  let state: 'unknown' | 'up' | 'down' = 'unknown'

  function request(options: Dispatcher.RequestOptions, done: RequestDone): void {
    const {
      [stopKey]: stop,
      [wholeBody]: whole,
      ...headers
    } = options.headers as IncomingHttpHeaders & {
      [stopKey]?: Stop
      [wholeBody]?: Buffer | null
    }
    const isStopped = () => stop !== undefined && stop.reason !== undefined
    // The client can leave between two attempts.
    if (isStopped()) return
    const body = whole ?? options.body ?? null
    budget.add()
    pool.request({ ...options, body, headers, signal: stop ?? null }, (error, answer) => {
      // The client left or already has another answer. This is no error.
      if (isStopped()) {
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
    takeRetry() {
      const isAllowed = budget.take()
      retries.inc({ upstream: name, outcome: isAllowed ? 'sent' : 'over_budget' })
      return isAllowed
    },
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
