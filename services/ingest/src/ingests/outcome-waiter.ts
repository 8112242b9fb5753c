import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { findFinished, type Ingest } from './ingest.repository.ts'

export type OutcomeWaiter = ReturnType<typeof createOutcomeWaiter>

type Answer = Ingest | null | 'waiting'
type Waiter = (answer: Answer) => void

/** Waits until ingests are done or failed. One database query serves all waiting requests. */
export function createOutcomeWaiter(options: {
  readonly db: Kysely<Database>
  readonly maxWaiters: number
  readonly logger: Logger
  /** Milliseconds between two queries while a request waits. */
  readonly pollMs?: number
}) {
  const { db, maxWaiters, logger, pollMs = 200 } = options
  const waiters = new Map<string, Set<Waiter>>()
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
      if (waiters.size > 0) await pause(pollMs)
    }
    isPolling = false
  }

  return {
    /**
     * Returns the finished ingest; null if its row is deleted. Returns `'waiting'` after `withinMs`, after
     * `signal` was aborted, and immediately if too many requests wait.
     */
    async wait(id: string, withinMs: number, signal: AbortSignal): Promise<Answer> {
      if (count >= maxWaiters || withinMs <= 0 || signal.aborted || isClosed) return 'waiting'
      count++
      return new Promise(resolve => {
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
        waiters.set(id, (waiters.get(id) ?? new Set<Waiter>()).add(settle))
        void poll()
      })
    },
    /** Answers `'waiting'` to all waiting requests. */
    close(): void {
      isClosed = true
      for (const id of [...waiters.keys()]) answerAll(id, 'waiting')
    },
  }
}
