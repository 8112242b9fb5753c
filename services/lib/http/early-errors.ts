import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { observeRequest } from '@lapwing/metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorTable } from './app-error.ts'
import { type CommonError, errorEntry } from './common-errors.ts'
import { sendError } from './error-handler.ts'
import { type ErrorWriter, writeProblem } from './error-writer.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

/**
 * Returns the answers for requests that never reach a route. The HTTP parser refuses them, they take too long
 * to arrive, or their URL cannot be decoded. These answers have the shape and the headers of every other
 * answer.
 */
export function earlyErrors(
  service: string,
  table: ErrorTable,
  headers: Readonly<Record<string, string>>,
  write: ErrorWriter = writeProblem,
) {
  /** The pending answer of each connection, so that a refusal never replaces another answer. */
  const answering = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

  return {
    watch(request: IncomingMessage, response: ServerResponse): void {
      answering.set(request.socket, { request, response })
    },

    /** Answers refusals of the router (Fastify's `frameworkErrors`). */
    onFrameworkError(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
      const code = `${service}.bad_request`
      const entry = errorEntry(service, table, code)!
      reply.headers({ ...headers, [REQUEST_ID_HEADER]: request.id })
      sendError(reply, write, { code, entry })
      observeRequest({ method: request.method, route: undefined, status: entry.status })
      request.log.info({ method: request.method, route: 'none', status: entry.status }, 'request')
    },

    /** Answers refusals of the parser (Node's `clientError`). */
    onClientError(error: Error & { code?: string }, socket: Socket): void {
      const last = answering.get(socket)
      const underWay = last !== undefined && !last.response.writableFinished ? last : null
      if (underWay?.request.complete && error.code !== 'ECONNRESET') {
        // The error follows a complete request, which is answered first.
        underWay.response.once('close', () => socket.destroySoon())
        return
      }
      if (error.code === 'ECONNRESET' || !socket.writable || underWay?.response.headersSent) {
        socket.destroy()
        return
      }
      const id = randomUUID()
      const written = refuse(byParserCode[error.code ?? ''] ?? 'bad_request', id)
      observeRequest({ method: 'other', route: undefined, status: written.status })
      const body = JSON.stringify(written.body)
      const lines = Object.entries({
        ...headers,
        [REQUEST_ID_HEADER]: id,
        'content-type': written.type,
        'content-length': String(Buffer.byteLength(body)),
        'cache-control': 'no-store',
        connection: 'close',
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(
        `HTTP/1.1 ${written.status} ${STATUS_CODES[written.status]}\r\n${lines.join('')}\r\n${body}`,
      )
      socket.destroySoon()
    },
  }

  function refuse(kind: CommonError, requestId: string) {
    const code = `${service}.${kind}`
    return write({ code, entry: errorEntry(service, table, code)!, requestId })
  }
}

const byParserCode: Readonly<Record<string, CommonError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}
