import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A request as the service behind the gateway received it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  body: Buffer
}

export interface FakeUpstream {
  readonly url: URL
  readonly server: Server
  readonly received: readonly Received[]
}

/** Starts a service that records its requests. It answers `ok` unless the test gives another `answer`. */
export async function fakeUpstream(t: TestContext, answer?: RequestListener): Promise<FakeUpstream> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers, rawHeaders } = request
    const entry: Received = { method, url, headers, rawHeaders, body: Buffer.alloc(0) }
    received.push(entry)
    if (answer !== undefined) {
      answer(request, response)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      entry.body = Buffer.concat(chunks)
      response.setHeader('content-type', 'text/plain')
      response.end('ok')
    })
  })
  // The same value as in a service.
  server.keepAliveTimeout = 75_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), server, received }
}

/** Returns an address on which nothing listens. */
export async function closedPort(): Promise<URL> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return new URL(`http://127.0.0.1:${port}`)
}
