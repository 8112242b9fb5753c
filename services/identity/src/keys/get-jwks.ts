import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'

/** Returns the key set without the protocol's envelope, so that every JWT library can read it. */
export function getWellKnownJwks({ keys }: Pick<Deps, 'keys'>): HandlerOf<'getWellKnownJwks'> {
  return (request, reply) => sendKeys(keys, request as FastifyRequest, reply)
}

export function getJwks({ keys, settings }: Pick<Deps, 'keys' | 'settings'>): HandlerOf<'getJwks'> {
  return async (request, reply) => {
    if (request.params.projectId !== settings.projectId) throw new IdentityError('route_not_found')
    return sendKeys(keys, request as FastifyRequest, reply)
  }
}

async function sendKeys(keys: Deps['keys'], request: FastifyRequest, reply: FastifyReply) {
  // Well below the lead time between a key's publication and its first use.
  reply.header('cache-control', 'public, max-age=300')
  return { keys: [...(await keys.jwks())], request_id: request.id, status_code: 200 }
}
