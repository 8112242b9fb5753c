import { optional, url, type Variable } from '@lapwing/config'

const sampledShare: Variable<number> = {
  name: 'OTEL_TRACES_SAMPLER_ARG',
  about: 'Share of the traces that are exported, from 0 to 1.',
  example: '0.1',
  fallback: { value: 1 },
  parse: text => {
    const share = Number(text)
    return /^[\d.]+$/.test(text) && share >= 0 && share <= 1
      ? { value: share }
      : { problem: 'must be a number from 0 to 1' }
  },
}

/** The variables of every process. Their names are OpenTelemetry's, whose exporter reads some more. */
export const tracingEnv = {
  tracesUrl: optional(
    url('OTEL_EXPORTER_OTLP_ENDPOINT', {
      schemes: ['http:', 'https:'],
      about: 'OpenTelemetry collector that receives traces (OTLP over HTTP); without it there are none.',
      example: 'http://otel-collector:4318',
    }),
  ),
  sampledShare,
}
