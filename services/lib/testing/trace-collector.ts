import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface CollectedSpan {
  /** Name of the process that made it. */
  readonly process: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Undefined if the span begins its trace. */
  readonly parentSpanId?: string
  readonly labels: Readonly<Record<string, unknown>>
}

export interface TraceCollector {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` names. */
  readonly url: string
  /** Returns what has arrived. */
  spans(): readonly CollectedSpan[]
  /** Returns the bodies as they arrived. */
  bodies(): readonly string[]
  close(): Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const accept: Answer = (_request, response) => response.writeHead(200, JSON_TYPE).end('{}')
const JSON_TYPE = { 'content-type': 'application/json' }

/** Starts a collector of OpenTelemetry traces (OTLP over HTTP, as JSON). `answer` makes it slow or lets it refuse. */
export async function startTraceCollector(answer: Answer = accept): Promise<TraceCollector> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/v1/traces' && request.method === 'POST') bodies.push(body)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: () => bodies,
    spans: () => bodies.flatMap(body => spansOf(JSON.parse(body))),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'process' | 'labels'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

function spansOf({ resourceSpans }: Exported): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes }) => ({
        process: String(labelsOf(resource.attributes)['service.name']),
        name,
        traceId,
        spanId,
        ...(parentSpanId && { parentSpanId }),
        labels: labelsOf(attributes),
      })),
    ),
  )
}

function labelsOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
