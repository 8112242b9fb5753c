import { context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { RunningSpan, SpanStart, Tracer, TracingOptions } from './span.ts'

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/** Spans that wait for the collector; further ones are lost. */
const MAX_WAITING_SPANS = 2_048
/** Milliseconds for one batch of spans. */
const EXPORT_WITHIN_MS = 5_000
const CLOSE_WITHIN_MS = 2_000
const WARN_EVERY_MS = 60_000

/**
 * Opens the exporter. Spans wait in a bounded queue and leave it in batches, beside all requests. If the collector is
 * away, slow or refuses them, they are lost, and nothing else happens.
 */
export function openTracer({
  process,
  tracesUrl,
  sampledShare,
  isEdge,
  onLost,
}: TracingOptions & { readonly tracesUrl: URL }): Tracer {
  warnOfLosses(onLost)
  const share = new TraceIdRatioBasedSampler(sampledShare)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': process, 'service.namespace': 'lapwing' }),
    sampler: new ParentBasedSampler({
      root: share,
      ...(isEdge && { remoteParentSampled: share, remoteParentNotSampled: share }),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: pathOfTraces(tracesUrl), timeoutMillis: EXPORT_WITHIN_MS }),
        exportTimeoutMillis: EXPORT_WITHIN_MS,
        maxQueueSize: MAX_WAITING_SPANS,
      }),
    ],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const ofLapwing = provider.getTracer('lapwing')

  return {
    begin({ name, kind = 'internal', parent, labels = {} }: SpanStart): RunningSpan {
      const parentContext = parent === undefined ? context.active() : contextOf(parent)
      const span = ofLapwing.startSpan(name, { kind: KINDS[kind], attributes: { ...labels } }, parentContext)
      const own = trace.setSpan(parentContext, span)
      return {
        ...identify(span.spanContext()),
        run: work => context.with(own, work),
        end({ labels = {}, error } = {}) {
          if (!span.isRecording()) return
          span.setAttributes({ ...labels })
          if (error !== undefined) {
            span.setAttribute('error.type', error)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    current() {
      const span = trace.getActiveSpan()
      return span === undefined ? null : identify(span.spanContext())
    },
    async close() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, CLOSE_WITHIN_MS)
      await Promise.race([provider.shutdown().catch(onLost), late.promise])
      clearTimeout(timer)
      context.disable()
    },
  }
}

/** The variable names the collector, as its specification says; an address in the code names its path. */
function pathOfTraces(collector: URL): string {
  return `${collector.href.replace(/\/$/, '')}/v1/traces`
}

function contextOf(parent: string | null) {
  const spanContext = parent === null ? null : parseTraceParent(parent)
  return spanContext === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, isRemote: true })
}

function identify({ traceId, spanId, traceFlags }: SpanContext) {
  const flags = traceFlags.toString(16).padStart(2, '0')
  return { traceId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

/** OpenTelemetry has one handler of errors for the process. */
function warnOfLosses(onLost: (error: unknown) => void): void {
  let warnedAtMs = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler(error => {
    if (performance.now() - warnedAtMs < WARN_EVERY_MS) return
    warnedAtMs = performance.now()
    onLost(error)
  })
}
