import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface RestLimits {
  /** Bytes that a client may still send after its answer. */
  readonly maxBytes: number
  readonly maxMs: number
}

/**
 * After an answer that came before the whole request: reads and forgets the rest, within bounds.
 * Closing at once would reset the connection, and a client that is busy sending might never see
 * the answer (RFC 9112 section 9.6). A request that has arrived whole is left alone, and so is its
 * connection.
 */
export function discardRest(app: FastifyInstance, limits: RestLimits): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    // Node closes at once for a client that asks for it, and Fastify after a body it refuses, unless told otherwise.
    if (!raw.complete && (wantsClose({ raw }) || reply.hasHeader('connection')))
      reply.header('connection', 'keep-alive')
  })
  app.addHook('onResponse', async request => {
    const { raw } = request
    if (raw.complete) closeIfWanted(request)
    else if (!raw.destroyed) readOn(request, limits)
  })
}

function readOn({ raw }: FastifyRequest, { maxBytes, maxMs }: RestLimits): void {
  const { socket } = raw
  // A request that a test injects came over no connection.
  if (!(socket instanceof Socket)) return
  const begin = { bytes: socket.bytesRead, ms: performance.now() }
  let last = begin
  // Node throws the bytes of an answered request away unseen, so the connection's own count is watched.
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
  // A request that a test injects came over no connection.
  if (wantsClose({ raw }) && raw.socket instanceof Socket) raw.socket.end()
}

function wantsClose({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return raw.headers.connection?.toLowerCase() === 'close'
}

/** Whoever has stopped sending is not kept from reading its answer, and holds a connection for nothing. */
const MAX_IDLE_MS = 2_000
