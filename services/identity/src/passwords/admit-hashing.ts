import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'

/**
 * Returns route options that refuse late hashing before the body is read. In a flood such a refusal
 * costs half as much as one after it.
 */
export function refuseLateHashing(
  { hasher }: Pick<Deps, 'hasher'>,
  handlers: object,
): Readonly<Record<string, RouteShorthandOptions>> {
  const onRequest = async () => hasher.refuseIfLate()
  return Object.fromEntries(Object.keys(handlers).map(id => [id, { onRequest }]))
}

/** Wraps handlers that hash. Refuses a request before its first query if its hash would come too late. */
export function admitHashing<Handlers extends object>(
  { hasher }: Pick<Deps, 'hasher'>,
  handlers: Handlers,
): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      (request: FastifyRequest, reply: FastifyReply) =>
        hasher.admit<unknown>(async () => {
          // A client that has gone must not use a hash, and has no address to count.
          if (reply.raw.closed) throw new IdentityError('service_unavailable')
          return handle(request, reply)
        }),
    ]),
  ) as Handlers
}
