import { ConfigError, integer, oneOf, optional, text } from '@lapwing/config'
import { serveMetrics } from '@lapwing/metrics'
import type { FastifyInstance } from 'fastify'

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
    drainMs: integer('DRAIN_MS', {
      min: 0,
      max: 600_000,
      about: 'Milliseconds that requests under way are given when the process is told to stop.',
      example: '25000',
      fallback: 25_000,
    }),
  }
}

export interface Running {
  /** Name of the process in its metrics. */
  readonly name: string
  readonly app: FastifyInstance
  readonly config: {
    readonly host: string
    readonly port: number
    readonly metricsHost: string
    readonly metricsPort: number | null
    readonly drainMs: number
  }
}

/**
 * Starts a process and stops it cleanly. On SIGTERM or SIGINT it accepts no new work and finishes open
 * requests within `drainMs`. Then it closes the app's resources in reverse order (its `onClose` hooks). It
 * serves metrics until its end. For an invalid configuration it prints all problems and exits with 2.
 */
export async function runService(start: () => Promise<Running>): Promise<void> {
  try {
    const { name, app, config } = await start()
    // Before it listens: a process that sees the open port may send the signal immediately.
    stopOnSignal(app, config.drainMs)
    if (config.metricsPort !== null) {
      const { url } = await serveMetrics({
        process: name,
        host: config.metricsHost,
        port: config.metricsPort,
      })
      app.log.info({ url }, 'metrics are served')
    }
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(error instanceof ConfigError ? 2 : 1)
  }
}

function stopOnSignal(app: FastifyInstance, drainMs: number): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    app.log.info({ signal }, 'stopping')
    setTimeout(() => {
      app.log.error({ drainMs }, 'requests were cut off: they took longer than the drain')
      process.exit(1)
    }, drainMs).unref()
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'closing failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
