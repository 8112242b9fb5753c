import { integer, oneOf, optional, text, type Variable } from '@lapwing/config'
import { tracingEnv } from '@lapwing/tracing/tracing-env'

/** The configuration variables of every process that listens. */
export function listenEnv(defaultPort: number) {
  return {
    host: text('HOST', { about: 'Address to listen on.', example: '0.0.0.0', fallback: '0.0.0.0' }),
    port: integer('PORT', {
      min: 0,
      max: 65535,
      about: 'Port to listen on; 0 takes a free one.',
      example: String(defaultPort),
      fallback: defaultPort,
    }),
    logLevel: oneOf('LOG_LEVEL', {
      choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      about: 'Least level that is logged.',
      example: 'info',
      fallback: 'info',
    }),
    metricsHost: text('METRICS_HOST', {
      about: 'Address to serve metrics on.',
      example: '127.0.0.1',
      fallback: '0.0.0.0',
    }),
    metricsPort: optional(
      integer('METRICS_PORT', {
        min: 0,
        max: 65535,
        about: 'Port of `/metrics` for Prometheus; 0 takes a free one, and without it there are no metrics.',
        example: '9464',
      }),
    ),
    ...tracingEnv,
    drainMs: integer('DRAIN_MS', {
      min: 0,
      max: 600_000,
      about: 'Milliseconds that requests under way are given when the process is told to stop.',
      example: '25000',
      fallback: 25_000,
    }),
    keepServingMs: integer('KEEP_SERVING_MS', {
      min: 0,
      max: 300_000,
      about:
        'Milliseconds of the drain in which the process still serves, and each answer ends its connection. ' +
        'Longer than clients leave a connection idle; at most half of `DRAIN_MS` counts.',
      example: '10000',
      fallback: 0,
    }),
  }
}

/** What every process reads from its environment. */
export type ListenConfig = Omit<
  { readonly [Key in keyof ReturnType<typeof listenEnv>]: ValueOf<ReturnType<typeof listenEnv>[Key]> },
  'logLevel'
>
type ValueOf<Env> = Env extends Variable<infer Value> ? Value : never
