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
    let rest = 0
    const deadline = setTimeout(() => raw.destroy(), maxMs).unref()
    raw.on('data', (chunk: Uint8Array) => {
      rest += chunk.byteLength
      if (rest > maxBytes) raw.destroy()
    })
    raw.once('end', () => clearTimeout(deadline))
    raw.once('close', () => clearTimeout(deadline))
    raw.resume()
  }
}
