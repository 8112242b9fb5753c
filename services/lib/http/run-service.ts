import { ConfigError, integer, oneOf, text } from '@lapwing/config'
import type { FastifyInstance } from 'fastify'

/** The variables every process that listens has. */
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
  readonly app: FastifyInstance
  readonly config: { readonly host: string; readonly port: number; readonly drainMs: number }
}

/**
 * Starts a process and stops it well. SIGTERM or SIGINT: no new work, requests under way are
 * finished within `drainMs`, then what the app holds is closed in reverse order (its `onClose`
 * hooks). A configuration with problems prints them all and exits with 2.
 */
export async function runService(start: () => Promise<Running>): Promise<void> {
  try {
    const { app, config } = await start()
    // Before it listens: whoever sees the port open may tell it to stop in the same moment.
    stopOnSignal(app, config.drainMs)
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
