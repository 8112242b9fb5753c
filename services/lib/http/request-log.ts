import { observeRequest } from '@lapwing/metrics'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { spanOf } from './trace-requests.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts the route together with others in the metrics, under this pattern. */
    countedAs?: string
  }
}

/**
 * Logs one line for each finished request, and counts it: id, method, route pattern, status and duration. If the client
 * left, the line says so, with the status so far. It contains neither the URL nor the client: both can be
 * personal.
 */
export class RequestLog extends LogController {
  /** Answers to injected requests close without being written, so completion is recorded here. */
  readonly #completed = new WeakSet<FastifyReply>()

  constructor() {
    super({ requestIdLogLabel: 'request_id' })
  }

  override incomingRequest(_request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished && !this.#completed.has(reply)) writeLine(reply, true)
    })
  }

  override requestCompleted(_error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
    this.#completed.add(reply)
    writeLine(reply, false)
  }

  override routeNotFound(): void {}

  override streamError(
    error: Error & { code?: string },
    _request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    // A client that leaves is no error; its own line reports it.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      reply.log.warn({ err: error }, 'the answer ended before it was complete')
  }

  override serviceUnavailable(): void {}
}

function writeLine(reply: FastifyReply, aborted: boolean): void {
  const { request, raw } = reply
  const status = aborted && !raw.headersSent ? null : raw.statusCode
  const { url: route, config } = request.routeOptions
  observeRequest({
    method: request.method,
    route: config?.countedAs ?? route,
    status,
    durationMs: reply.elapsedTime,
  })
  reply.log.info(
    {
      method: request.method,
      route: route ?? 'none',
      status,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ...clientFields(request),
      // The line is written outside of the span.
      trace_id: spanOf(request)?.traceId,
      ...(aborted && { aborted }),
    },
    'request',
  )
}

/**
 * Returns what the page reports about itself (D-14). It shows which builds are still in use, and is never
 * trusted.
 */
function clientFields({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, field] of CLIENT_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && harmless.test(value)) fields[field] = value
  }
  return fields
}

const CLIENT_HEADERS = [
  ['x-client-version', 'client_version'],
  ['x-requested-with', 'requested_with'],
] as const

const harmless = /^[\w.-]{1,32}$/
