import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServiceTokenVerifier } from '@lapwing/auth'

export const internalKey = 'a key of at least thirty-two bytes'
const keyBytes = new TextEncoder().encode(internalKey)

export interface InternalServer {
  readonly url: URL
  close(): Promise<void>
}

/**
 * Starts a server for the internal routes of another service. It answers only requests with a valid token.
 */
export async function serveInternal(
  name: string,
  answer: (request: {
    readonly method: string
    readonly path: string
    readonly body: unknown
  }) => Promise<{ readonly status: number; readonly body?: unknown } | 'hang up'>,
): Promise<InternalServer> {
  const verify = createServiceTokenVerifier(keyBytes, name)
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await text(request)
    if (!(await verify(request.headers.authorization))) return response.writeHead(401).end()
    const answered = await answer({
      method: request.method!,
      path: request.url!,
      body: sent === '' ? null : JSON.parse(sent),
    })
    if (answered === 'hang up') return response.destroy()
    const { status, body } = answered
    response.writeHead(status, { 'content-type': 'application/json' })
    return response.end(body === undefined ? '' : JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
