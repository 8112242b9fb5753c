import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Servers that stop soon: each answer ends its connection. */
const stoppingSoon = new WeakSet<Server>()
/** Milliseconds between two looks at the open connections. */
const LOOK_EVERY_MS = 250

/**
 * Closes connections during a drain. Closing a server ends only those that are idle at that moment. A busy
 * one would stay open for its client's next request, and delay the end.
 */
export function closeConnectionsWhileDraining(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    stoppingSoon.add(app.server)
    isClosing = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stoppingSoon.has(app.server)) reply.header('connection', 'close')
    done(null, payload)
  })
  // For answers whose headers were sent before the drain.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}

/**
 * Keeps serving for at most `withinMs`, and ends each connection with its next answer. Resolves earlier when no
 * connection is open. An idle connection must not be closed immediately: its client may be sending a request, which
 * would be lost.
 */
export async function serveLastRequests({ server }: FastifyInstance, withinMs: number): Promise<void> {
  stoppingSoon.add(server)
  const endMs = performance.now() + withinMs
  while (performance.now() < endMs && (await openConnections(server)) > 0) await delay(LOOK_EVERY_MS)
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
