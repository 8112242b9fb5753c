/** A `server` or a `consumer` does what a `client` or a `producer` of another process requested. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/**
 * Facts of a span. They follow the rule of metrics' labels: all values are known in the code. A collector
 * must never receive a URL, an id of an account, a name or an address.
 */
export type Labels = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  readonly name: string
  readonly kind?: SpanKind
  /**
   * W3C `traceparent` of another process. Undefined: the span that runs now is the parent. Null or malformed: the
   * span begins a trace.
   */
  readonly parent?: string | null | undefined
  readonly labels?: Labels
}

export interface RunningSpan {
  readonly traceId: string
  /** W3C `traceparent` that makes this span the parent. */
  readonly traceparent: string
  /** Calls `work` with this span as the one that runs now, also after its `await`s. */
  run<Result>(work: () => Result): Result
  /** Ends the span. Calls after the first do nothing. `error` is a code or a class of errors, not a message. */
  end(end?: { readonly labels?: Labels; readonly error?: string | undefined }): void
}

/** Makes the spans of one process. */
export interface Tracer {
  begin(start: SpanStart): RunningSpan
  /** Returns the span that runs now. */
  current(): Pick<RunningSpan, 'traceId' | 'traceparent'> | null
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** Name of the process, `service.name` of its spans. */
  readonly process: string
  /** Null: there are no traces. */
  readonly tracesUrl: URL | null
  /** 0..1. */
  readonly sampledShare: number
  /**
   * Whether anybody can call this process. It then decides by the trace's id what is exported, because a client could
   * ask for everything. All others follow the process that called them.
   */
  readonly isEdge: boolean
  /** Called when the collector did not accept spans, at most once a minute. */
  readonly onLost: (error: unknown) => void
}
