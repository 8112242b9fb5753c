import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, register } from 'prom-client'

export interface MetricsServer {
  /** The address of the metrics. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the metrics of this process at `/metrics`, on a port of their own that no gateway routes to. Metrics
 * hold no secret, but they show how much an installation is used. Rejects if the port is taken.
 *
 * @param process name of the process, which becomes a label of every metric
 */
export async function serveMetrics({
  process: name,
  host,
  port,
}: {
  readonly process: string
  readonly host: string
  readonly port: number
}): Promise<MetricsServer> {
  register.setDefaultLabels({ process: name })
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics()
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, maxHeaderSize: 8_192 })
  server.maxConnections = 32
  server.on('request', async (request, response) => {
    request.resume()
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await metricsText()
      response.writeHead(200, { 'content-type': register.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns all metrics of this process in the text format of Prometheus. */
export function metricsText(): Promise<string> {
  return register.metrics()
}
