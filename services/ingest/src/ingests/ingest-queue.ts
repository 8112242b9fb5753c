import { connectRedis, logAbsence } from '@lapwing/redis'
import { type JobsOptions, Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Queueable } from './ingest.repository.ts'

/** The name of the queue and of its jobs: one job for each attempt to judge a file. */
export const QUEUE_NAME = 'judge'

export interface IngestJob {
  readonly ingestId: string
  /** See `Queueable`. */
  readonly traceparent?: string
}

/**
 * Notifies workers of files to judge; the database is the source of truth. The sweeper queues a job again if
 * Redis lost it. A job that is queued twice finds nothing to do the second time.
 */
export type IngestQueue = ReturnType<typeof openIngestQueue>

export interface QueueAddress {
  readonly redisUrl: URL
  /** First part of every key. */
  readonly prefix: string
}

export function openIngestQueue({ redisUrl, prefix }: QueueAddress, logger: Logger) {
  const redis = connectRedis(redisUrl, logAbsence(logger, 'queue'), {
    enableOfflineQueue: false,
    maxRetriesPerRequest: null,
  })
  let queue: Queue<IngestJob> | null = null

  /** Returns the queue. One that failed to start never recovers, so the next call opens another. */
  function openQueue(): Queue<IngestJob> {
    if (queue !== null) return queue
    const opened = new Queue<IngestJob>(QUEUE_NAME, { connection: redis, prefix, skipVersionCheck: true })
    opened.on('error', error => logger.debug({ err: error }, 'queue'))
    opened.waitUntilReady().catch(() => {
      if (queue === opened) queue = null
    })
    queue = opened
    return opened
  }

  return {
    /** Rejects within a second if Redis is down. The sweeper then queues the job later. */
    async enqueue(
      ingests: readonly Queueable[],
      { delayMs = 0 }: { readonly delayMs?: number } = {},
    ): Promise<void> {
      if (ingests.length === 0) return
      if (redis.status !== 'ready') throw new Error('the queue is away')
      const added = openQueue().addBulk(ingests.map(ingest => jobOf(ingest, delayMs)))
      await within(ANSWER_WITHIN_MS, added)
    },
    /** Returns the jobs by their state. Rejects within a second if Redis is down. */
    async countJobs(): Promise<Readonly<Record<string, number>>> {
      if (redis.status !== 'ready') throw new Error('the queue is away')
      const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const
      return within(ANSWER_WITHIN_MS, openQueue().getJobCounts(...states))
    },
    isUp: (): boolean => redis.status === 'ready',
    close: () => redis.disconnect(),
  }
}

const ANSWER_WITHIN_MS = 1_000

/**
 * The id names the attempt, so adding a job twice has no effect. Short files go first. A file that has waited
 * for `LATE_AFTER_MS` gets a second job ahead of all others, so that a long one does not wait for ever.
 */
function jobOf({ id, size, attempt, ageMs, traceparent }: Queueable, delayMs: number) {
  const isLate = ageMs > LATE_AFTER_MS
  const opts: JobsOptions = {
    jobId: `${id}-${attempt}${isLate ? '-late' : ''}`,
    priority: isLate ? 1 : 2 + Math.floor(size / MIB),
    delay: delayMs,
    // Keeps the queue small: the database has the outcome.
    removeOnComplete: true,
    removeOnFail: true,
  }
  const data: IngestJob = { ingestId: id, ...(traceparent !== null && { traceparent }) }
  return { name: QUEUE_NAME, data, opts }
}

const LATE_AFTER_MS = 60_000
const MIB = 1024 * 1024

/** By hand: it is the only race of its kind, too little for a dependency such as `p-timeout`. */
async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const timedOut = Promise.withResolvers<never>()
  const timer = setTimeout(() => timedOut.reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, timedOut.promise])
  } finally {
    clearTimeout(timer)
  }
}
