import type { RunningSpan, SpanStart, Tracer, TracingOptions } from './span.ts'

export type { Labels } from './span.ts'

/** Null while there are no traces: nothing of OpenTelemetry is then loaded, and each function here costs a comparison. */
let tracer: Tracer | null = null

/** Starts the traces of this process. Returns a function that sends what is left and ends them. */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const { tracesUrl } = options
  if (tracesUrl === null) return async () => {}
  const { openTracer } = await import('./open-tracer.ts')
  const opened = openTracer({ ...options, tracesUrl })
  tracer = opened
  return async () => {
    if (tracer === opened) tracer = null
    await opened.close()
  }
}

export function isTracing(): boolean {
  return tracer !== null
}

/** Begins a span; null if there are no traces. The caller must end it. */
export function beginSpan(start: SpanStart): RunningSpan | null {
  return tracer?.begin(start) ?? null
}

/** Runs `work` as a span, which fails with it. */
export async function withSpan<Result>(start: SpanStart, work: () => Promise<Result>): Promise<Result> {
  if (tracer === null) return work()
  const span = tracer.begin(start)
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({ error: errorType(error) })
    throw error
  }
}

/** Returns the W3C `traceparent` of the span that runs now; null without one. */
export function traceparent(): string | null {
  return tracer?.current()?.traceparent ?? null
}

/** Returns what a log line says about the span that runs now; nothing without one. */
export function traceFields(): { readonly trace_id?: string } {
  const current = tracer?.current()
  return current ? { trace_id: current.traceId } : {}
}

/** Never the message, which can hold a name or a value of a row. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'other'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[\w.]{1,64}$/.test(code) ? code : error.name
}
