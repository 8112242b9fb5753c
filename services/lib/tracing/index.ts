export type { RunningSpan, SpanKind, SpanStart } from './span.ts'
export {
  beginSpan,
  isTracing,
  type Labels,
  startTracing,
  traceFields,
  traceparent,
  withSpan,
} from './tracing.ts'
export { tracingEnv } from './tracing-env.ts'
