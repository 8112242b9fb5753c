import type { FastifyInstance } from 'fastify'

/**
 * A client may still be sending when its answer is complete: the answer to a body that is too large,
 * say. Closing at once would lose the answer, because a kernel resets a connection with unread
 * bytes; so the rest is thrown away for `lingerMs`, and the connection is closed if it has not ended
 * by then. If it has, the connection stays in use.
 */
export function lingerOnUnreadBodies(app: FastifyInstance, lingerMs: number): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    const timer = setTimeout(() => raw.socket.destroy(), lingerMs).unref()
    raw.once('close', () => clearTimeout(timer))
    raw.resume()
  })
}
