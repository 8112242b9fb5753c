import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'

/** Lets pages of other origins read the gateway's own errors, such as 429, if they can read identity's answers. */
export interface CrossOriginReaders {
  /** Sets the CORS headers for an origin that identity allows. identity's own headers replace them. */
  readonly allow: onRequestAsyncHookHandler
  /** Remembers which origin an answer of identity allows at an address of the table. */
  readonly learn: (address: string, headers: Readonly<Record<string, unknown>>) => void
}

/**
 * Learns origins from identity's answers, because identity alone knows them. Browsers ask identity before a call
 * of another origin, so the gateway knows an origin before it refuses the first call. After a start it can
 * refuse one that it does not know yet: the page then cannot read why.
 *
 * @param known origins that are allowed from the start
 */
export function createCrossOriginReaders(known: readonly string[] = []): CrossOriginReaders {
  const origins = new Set(known)
  /** Addresses at which identity allows every origin, without cookies. */
  const open = new Set<string>()
  return {
    learn(address, { 'access-control-allow-origin': origin }) {
      if (origin === '*') open.add(address)
      // identity repeats an origin only if its list has it, so the set cannot grow without end.
      else if (typeof origin === 'string') origins.add(origin)
    },
    allow: async (request, reply) => {
      const { origin } = request.headers
      if (origin === undefined) return
      if (open.has(addressOf(request))) reply.header('access-control-allow-origin', '*')
      else if (origins.has(origin)) {
        reply.headers({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          vary: 'origin',
        })
      } else return
      reply.header('access-control-expose-headers', 'retry-after, x-request-id')
    },
  }
}

function addressOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? ''
}
