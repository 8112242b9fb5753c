import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface RestLimits {
  /** Bytes that a client may still send after its answer. */
  readonly maxBytes: number
  readonly maxMs: number
}

/**
 * After an answer that came before the whole request: reads and forgets the rest, within bounds.
 * Closing at once would reset the connection, and a client that is busy sending might never see
 * the answer. A request that has arrived whole is left alone, and so is its connection.
 */
export function discardRest({ maxBytes, maxMs }: RestLimits) {
  return async ({ raw }: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (raw.complete || raw.destroyed) return
    const { socket } = raw
    // A request that a test injects came over no connection.
    if (!(socket instanceof Socket)) return
    const begin = { bytes: socket.bytesRead, ms: performance.now() }
    // Node throws the bytes of an answered request away unseen, so the connection's own count is watched.
    const watch = setInterval(
      () => {
        const isTooMuch = socket.bytesRead - begin.bytes > maxBytes || performance.now() - begin.ms > maxMs
        if (isTooMuch) socket.destroy()
      },
      Math.min(50, maxMs),
    ).unref()
    raw.once('end', () => clearInterval(watch))
    raw.once('close', () => clearInterval(watch))
    raw.resume()
  }
}
