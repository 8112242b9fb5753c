import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Sweep, sweep } from './sweep.ts'

/** Sweeps every `everyMs` until it is closed. After a failed sweep, which is logged, the next continues. */
export function startSweeper({
  everyMs,
  logger,
  ...options
}: Sweep & { readonly everyMs: number; readonly logger: Pick<Logger, 'info' | 'warn'> }): {
  /** Resolves when a running sweep has ended. */
  close(): Promise<void>
} {
  const closed = new AbortController()
  const { signal } = closed

  async function repeat(): Promise<void> {
    while (await pause(everyMs, true, { signal }).catch(() => false)) {
      try {
        const swept = await sweep(options, () => signal.aborted)
        if (Object.values(swept).some(count => count > 0)) logger.info(swept, 'swept')
      } catch (error) {
        logger.warn({ err: error }, 'the sweep failed')
      }
    }
  }

  const running = repeat()
  return {
    async close() {
      closed.abort()
      await running
    },
  }
}
