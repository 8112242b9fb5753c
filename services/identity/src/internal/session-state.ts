import { createServiceTokenVerifier } from '@lapwing/auth'
import { isUnavailable } from '@lapwing/db'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'

/**
 * `GET /internal/sessions/{id}` → `{ session_id, active }`: whether a session stands, for the gateway
 * while it cannot read the list in Redis. Signed with the shared key; the gateway routes nothing to it.
 */
export function addSessionState(app: FastifyInstance, { db, internalKey, now }: Deps): void {
  const verify = createServiceTokenVerifier(internalKey, 'identity', now)
  app.get<{ Params: { id: string } }>('/internal/sessions/:id', async (request, reply) => {
    if (!(await verify(request.headers.authorization))) throw new IdentityError('unauthorized_credentials')
    const session = await db
      .selectFrom('session')
      .select('session_id')
      .where('session_id', '=', request.params.id)
      .where('expires_at', '>', now())
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw isUnavailable(error)
          ? new IdentityError('service_unavailable', { cause: error, retryAfterS: 2 })
          : error
      })
    reply.header('cache-control', 'no-store')
    return { session_id: request.params.id, active: session !== undefined }
  })
}
