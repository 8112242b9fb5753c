import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { type Attempt, renew } from '../ingests/attempt.repository.ts'

/** Another attempt has taken over, or the account was deleted: nothing more must be written. */
export class Superseded extends Error {
  constructor() {
    super('another attempt has taken over')
    this.name = 'Superseded'
  }
}

export interface Lease {
  /** Aborted with `Superseded` if the lease is lost. */
  readonly signal: AbortSignal
  /** Reports the progress of the attempt, 0..1; written at most twice a second. */
  progress(share: number): void
  /** Resolves once the last write has ended. */
  stop(): Promise<void>
}

/** Keeps an attempt alive: renews its lease three times within `leaseMs`, and stores its progress. */
export function holdLease(
  db: Kysely<Database>,
  attempt: Attempt,
  { leaseMs, logger }: { readonly leaseMs: number; readonly logger: Logger },
): Lease {
  const lost = new AbortController()
  let progress = 0
  let written = { progress: 0, atMs: performance.now() }
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    const now = { progress, atMs: performance.now() }
    try {
      if (await renew(db, attempt, { progress, leaseMs })) written = now
      else lost.abort(new Superseded())
    } catch (error) {
      // Recording checks again whether the attempt is the current one.
      logger.warn({ err: error }, 'a lease could not be renewed')
    }
  }

  const timer = setInterval(
    () => {
      const isDue = performance.now() - written.atMs >= leaseMs / 3
      if (writing !== null || (progress === written.progress && !isDue)) return
      writing = write().finally(() => {
        writing = null
      })
    },
    Math.min(500, leaseMs / 6),
  )
  return {
    signal: lost.signal,
    progress(share) {
      progress = Math.max(progress, Math.min(1, share))
    },
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}
