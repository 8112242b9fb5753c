import type { FastifyInstance } from 'fastify'

/**
 * For services whose answers are of one person: no browser and no proxy keeps one, unless its handler
 * says otherwise. A shared computer would still have them after the person has signed out.
 */
export function keepNoAnswer(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    return payload
  })
}
