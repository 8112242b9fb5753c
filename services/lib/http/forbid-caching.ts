import type { FastifyInstance } from 'fastify'

/**
 * Forbids caches to store answers, unless a handler sets its own header. For services whose answers belong to
 * one person: on a shared computer they would remain after sign-out.
 */
export function forbidCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    return payload
  })
}
