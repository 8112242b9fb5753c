import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Runs between a fuzzing tool and a service. Adds the headers from `headersFor` to each request, and counts
 * the answers by status.
 */
export async function startFuzzingProxy(options: FuzzingProxyOptions): Promise<FuzzingProxy> {
  const statuses = new Map<number, number>()
  const failed: string[] = []
  let number = 0
  // Larger than the services' limit, so that the services reject long headers.
  const server = createServer({ maxHeaderSize: 256 * 1024 }, async (incoming, outgoing) => {
    const count = (status: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const what = `${status} to ${incoming.method} ${incoming.url}`
      if (status >= 500 && !options.isExpected(status, incoming.url ?? '')) failed.push(what)
    }
    const headers = { ...incoming.headers, ...(await options.headersFor(number++, incoming.url ?? '')) }
    const upstream = request(
      `${options.url}${incoming.url}`,
      { method: incoming.method, headers, agent: false, timeout: 30_000 },
      answer => {
        count(answer.statusCode ?? 0)
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    upstream.once('timeout', () => upstream.destroy(new Error('no answer in time')))
    upstream.once('error', error => {
      // The tool closed the connection first, as it does when it has seen enough.
      if (incoming.destroyed && !incoming.complete) return
      count(599)
      outgoing.writeHead(599).end(error.message)
    })
    incoming.pipe(upstream)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    statuses: () => [...statuses].sort(([a], [b]) => a - b),
    failed: () => failed,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export interface FuzzingProxyOptions {
  /** URL of the service. */
  readonly url: string
  /** Headers of the request with this number; they add to its own or replace them. */
  readonly headersFor: (number: number, path: string) => Promise<Readonly<Record<string, string>>>
  /** Whether a 5xx is correct, such as "not configured". */
  readonly isExpected: (status: number, path: string) => boolean
}

export interface FuzzingProxy {
  readonly url: string
  readonly statuses: () => readonly (readonly [status: number, count: number])[]
  /** Unexpected 5xx answers; 599 means no answer. */
  readonly failed: () => readonly string[]
  readonly close: () => Promise<void>
}
