import type { FastifyReply } from 'fastify'

/** Aborted when nobody is there any more to be answered. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  if (raw.closed) gone.abort()
  raw.once('close', () => gone.abort())
  return gone.signal
}
