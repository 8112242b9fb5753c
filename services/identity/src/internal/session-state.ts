import { createServiceTokenVerifier } from '@lapwing/auth'
import { isUnavailable } from '@lapwing/db'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'

/**
 * Adds `GET /internal/sessions/{id}` → `{ session_id, active }`. The gateway calls it while it cannot
 * read the list in Redis. Requests are signed with the shared key; no public route leads here.
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
