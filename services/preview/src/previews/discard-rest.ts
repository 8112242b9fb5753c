import type { FastifyReply, FastifyRequest } from 'fastify'

/** A client that is refused in mid-upload may send so much more before it must have read the answer. */
const maxRestBytes = 33_554_432
const maxRestMs = 5_000

/**
 * After an answer that came before the whole request: reads and forgets the rest, within bounds.
 * Closing at once would reset the connection, and many clients, busy with sending, would never see
 * the answer. A request that has arrived whole is left alone.
 */
export async function discardRest(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  const { raw } = request
  if (raw.complete || raw.destroyed) return
  let rest = 0
  const count = (chunk: Uint8Array) => {
    rest += chunk.byteLength
    if (rest > maxRestBytes) raw.destroy()
  }
  const deadline = setTimeout(() => raw.destroy(), maxRestMs)
  raw.on('data', count)
  raw.once('close', () => clearTimeout(deadline))
  raw.once('end', () => clearTimeout(deadline))
  raw.resume()
}
