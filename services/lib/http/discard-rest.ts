import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface RestLimits {
  /** Bytes that a client may still send after its answer. */
  readonly maxBytes: number
  readonly maxMs: number
}

/**
 * Reads and discards the rest of a request after an early answer, within bounds. An immediate close would
 * reset the connection, and a client that is still sending might never see the answer (RFC 9112 section 9.6).
 * Complete requests and their connections are left alone.
 */
export function discardRest(app: FastifyInstance, limits: RestLimits): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // Without this header Node closes immediately if the client asks for it, and Fastify after a rejected
    // body.
    if (!raw.complete && (wantsClose({ raw }) || reply.hasHeader('connection')))
      reply.header('connection', 'keep-alive')
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request
    if (raw.complete) closeIfWanted(request)
    else if (!raw.destroyed) readOn(request, limits)
    done()
  })
}

function readOn({ raw }: FastifyRequest, { maxBytes, maxMs }: RestLimits): void {
  const { socket } = raw
  // An injected request of a test has no connection.
  if (!(socket instanceof Socket)) return
  const begin = { bytes: socket.bytesRead, ms: performance.now() }
  let last = begin
  // Node discards the bytes of an answered request without an event, so the connection's own count is polled.
  const watch = setInterval(
    () => {
      const now = { bytes: socket.bytesRead, ms: performance.now() }
      if (now.bytes !== last.bytes) last = now
      const isTooMuch = now.bytes - begin.bytes > maxBytes || now.ms - begin.ms > maxMs
      if (isTooMuch || now.ms - last.ms > MAX_IDLE_MS) socket.destroy()
    },
    Math.min(50, maxMs),
  ).unref()
  raw.once('end', () => {
    clearInterval(watch)
    closeIfWanted({ raw })
  })
  raw.once('close', () => clearInterval(watch))
  raw.resume()
}

function closeIfWanted({ raw }: Pick<FastifyRequest, 'raw'>): void {
  // An injected request of a test has no connection.
  if (wantsClose({ raw }) && raw.socket instanceof Socket) raw.socket.end()
}

function wantsClose({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return raw.headers.connection?.toLowerCase() === 'close'
}

/** A client that stopped sending can read its answer, and need not hold a connection. */
const MAX_IDLE_MS = 2_000
