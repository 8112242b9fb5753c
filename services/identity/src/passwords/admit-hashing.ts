import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'

/**
 * What the routes of handlers that hash do first: in a flood, a refusal that comes before the body is read
 * costs half of one after it.
 */
export function refuseLateHashing(
  { hasher }: Pick<Deps, 'hasher'>,
  handlers: object,
): Readonly<Record<string, RouteShorthandOptions>> {
  const onRequest = async () => hasher.refuseIfLate()
  return Object.fromEntries(Object.keys(handlers).map(id => [id, { onRequest }]))
}

/** Wraps handlers that hash: each is refused before it has cost anything when its hash would come too late. */
export function admitHashing<Handlers extends object>(
  { hasher }: Pick<Deps, 'hasher'>,
  handlers: Handlers,
): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      (request: FastifyRequest, reply: FastifyReply) =>
        hasher.admit<unknown>(async () => {
          // Whoever went away meanwhile takes no hash from those who stayed, and has no address to be counted by.
          if (reply.raw.closed) throw new IdentityError('service_unavailable')
          return handle(request, reply)
        }),
    ]),
  ) as Handlers
}
