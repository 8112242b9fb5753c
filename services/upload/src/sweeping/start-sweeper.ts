import type { Logger } from 'pino'
import { type Sweep, sweep } from './sweep.ts'

/**
 * Sweeps every `everyMs` until it is closed. A failed sweep is logged, and the next one continues its work.
 */
export function startSweeper({
  everyMs,
  logger,
  ...options
}: Sweep & { readonly everyMs: number; readonly logger: Pick<Logger, 'info' | 'warn'> }): {
  /** Resolves when a running sweep has ended. */
  close(): Promise<void>
} {
  let isClosed = false
  let current: Promise<void> = Promise.resolve()
  let timer = setTimeout(run, everyMs)

  function run(): void {
    current = sweep(options, () => isClosed)
      .then(swept => {
        if (Object.values(swept).some(count => count > 0)) logger.info(swept, 'swept')
      })
      .catch((error: unknown) => logger.warn({ err: error }, 'the sweep failed'))
      .finally(() => {
        if (!isClosed) timer = setTimeout(run, everyMs)
      })
  }

  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await current
    },
  }
}
