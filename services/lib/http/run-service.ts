import { ConfigError } from '@lapwing/config'
import { serveMetrics } from '@lapwing/metrics'
import { startTracing } from '@lapwing/tracing'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { serveLastRequests } from './drain.ts'
import type { ListenConfig } from './listen-env.ts'

export interface Process<Config extends ListenConfig> {
  /** Name of the process in its metrics and traces. */
  readonly name: string
  /** Whether anybody can call it, not only Lapwing's own processes. */
  readonly isEdge?: boolean
  /** Throws a `ConfigError` with every problem. */
  readonly loadConfig: (env: Readonly<Record<string, string | undefined>>) => Config
  /** Returns an app that does not listen yet. */
  readonly start: (config: Config) => FastifyInstance | Promise<FastifyInstance>
}

/**
 * Starts a process and stops it cleanly. On SIGTERM or SIGINT it first serves for `keepServingMs`, or until clients have
 * left. Then it accepts no new work and finishes open requests, all within `drainMs`. Then it closes the app's
 * resources in reverse order (its `onClose` hooks). It serves metrics until its end, and then sends its last traces.
 * For an invalid configuration it prints all problems and exits with 2.
 */
export async function runService<Config extends ListenConfig>({
  name,
  isEdge = false,
  loadConfig,
  start,
}: Process<Config>): Promise<void> {
  try {
    const config = loadConfig(process.env)
    let logger: FastifyBaseLogger | null = null
    const endTracing = await startTracing({
      ...config,
      process: name,
      isEdge,
      onLost: error => logger?.warn({ reason: String(error) }, 'traces were lost; nothing else was'),
    })
    const app = await start(config)
    logger = app.log
    // Before it listens: a process that sees the open port may send the signal immediately.
    stopOnSignal(app, config, endTracing)
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

function stopOnSignal(
  app: FastifyInstance,
  { drainMs, keepServingMs }: ListenConfig,
  endTracing: () => Promise<void>,
): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    app.log.info({ signal }, 'stopping')
    const cutOff = setTimeout(() => {
      app.log.error({ drainMs }, 'requests were cut off: they took longer than the drain')
      process.exit(1)
    }, drainMs).unref()
    const close = async () => {
      await serveLastRequests(app, Math.min(keepServingMs, drainMs / 2))
      await app.close()
      // Traces have their own limit of time, and a collector that does not answer is no fault of this process.
      clearTimeout(cutOff)
      await endTracing()
    }
    close().then(
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
