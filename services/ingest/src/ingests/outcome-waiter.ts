import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { findFinished, type Ingest } from './ingest.repository.ts'

/** Waits until ingests are done or failed. One database query serves all waiting requests. */
export interface OutcomeWaiter {
  /**
   * Returns the finished ingest; null if its row is deleted. Returns `'waiting'` after `withinMs`, after
   * `signal` was aborted, and immediately if too many requests wait.
   */
  wait(id: string, withinMs: number, signal: AbortSignal): Promise<Ingest | null | 'waiting'>
  /** Answers `'waiting'` to all waiting requests. */
  close(): void
}

type Answer = Ingest | null | 'waiting'

export function createOutcomeWaiter(options: {
  readonly db: Kysely<Database>
  readonly maxWaiters: number
  readonly logger: Logger
  /** Milliseconds between two queries while a request waits. */
  readonly pollMs?: number
}): OutcomeWaiter {
  const { db, maxWaiters, logger, pollMs = 200 } = options
  const waiters = new Map<string, Set<(answer: Answer) => void>>()
  let count = 0
  let isPolling = false
  let isClosed = false

  function answerAll(id: string, answer: Answer): void {
    for (const resolve of waiters.get(id) ?? []) resolve(answer)
  }

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (waiters.size > 0) {
      try {
        for (const [id, ingest] of await findFinished(db, [...waiters.keys()])) answerAll(id, ingest)
      } catch (error) {
        // Waiting requests still end after their time, and clients can then ask for the outcome.
        logger.warn({ err: error }, 'outcomes could not be read')
      }
      if (waiters.size > 0) await new Promise(resolve => setTimeout(resolve, pollMs))
    }
    isPolling = false
  }

  return {
    wait(id, withinMs, signal) {
      if (count >= maxWaiters || withinMs <= 0 || signal.aborted || isClosed)
        return Promise.resolve('waiting')
      count++
      return new Promise<Answer>(resolve => {
        const settle = (answer: Answer) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          const others = waiters.get(id)
          if (!others?.delete(settle)) return
          if (others.size === 0) waiters.delete(id)
          count--
          resolve(answer)
        }
        const stop = () => settle('waiting')
        const timer = setTimeout(stop, withinMs)
        signal.addEventListener('abort', stop, { once: true })
        const others = waiters.get(id)
        if (others === undefined) waiters.set(id, new Set([settle]))
        else others.add(settle)
        void poll()
      })
    },
    close() {
      isClosed = true
      for (const id of [...waiters.keys()]) answerAll(id, 'waiting')
    },
  }
}
