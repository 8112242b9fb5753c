import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maxFileBytes, maxFormBytes } from './receive-file.ts'

/** Whoever sends a file that could be taken may finish with it before it reads the answer. */
const maxRestBytes = maxFileBytes + maxFormBytes
const maxRestMs = 30_000

/**
 * Lets an answer that comes before the whole request arrive: the rest of the body is read and
 * forgotten, within bounds, and only then the connection is closed, if it is to be. Closing at once
 * resets it, and a client that is busy with sending never sees the answer (RFC 9112, section 9.6).
 */
export function discardRest(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    // Node closes at once for a client that asks for `Connection: close`, unless told otherwise.
    if (isUnderWay(request) && reply.getHeader('connection') === undefined) {
      reply.header('connection', 'keep-alive')
    }
  })
  app.addHook('onResponse', async request => {
    if (isUnderWay(request)) discard(request)
  })
}

function isUnderWay({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  return !raw.complete && !raw.destroyed && (encoding !== undefined || Number(length ?? 0) > 0)
}

function discard({ raw }: FastifyRequest): void {
  let bytes = 0
  const deadline = setTimeout(() => raw.destroy(), maxRestMs)
  raw.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > maxRestBytes) raw.destroy()
  })
  raw.once('end', () => {
    if (raw.headers.connection?.toLowerCase() === 'close') raw.socket.end()
  })
  raw.once('close', () => clearTimeout(deadline))
  raw.resume()
}
