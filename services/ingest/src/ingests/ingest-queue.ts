import { connectRedis, logAbsence } from '@lapwing/redis'
import { type JobsOptions, Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Queueable } from './ingest.repository.ts'

/** The queue's name, and its jobs': one for each attempt to judge a file. */
export const QUEUE_NAME = 'judge'

export interface IngestJob {
  readonly ingestId: string
}

/**
 * A hint for workers that there is something to do; the database has the truth. A job that Redis lost is
 * queued again by the sweeper, and one that is queued twice finds nothing to do the second time.
 */
export interface IngestQueue {
  /** Rejects within a second where Redis is away, which costs nobody more than a look of the sweeper. */
  enqueue(ingests: readonly Queueable[], options?: { readonly delayMs?: number }): Promise<void>
  isUp(): boolean
  close(): void
}

export interface QueueAddress {
  readonly redisUrl: URL
  /** First part of every key. */
  readonly prefix: string
}

export function openIngestQueue({ redisUrl, prefix }: QueueAddress, logger: Logger): IngestQueue {
  const redis = connectRedis(redisUrl, logAbsence(logger, 'the queue'), {
    enableOfflineQueue: false,
    maxRetriesPerRequest: null,
  })
  let queue: Queue<IngestJob> | null = null

  /** One that could not begin never will, so the next caller gets another. */
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
    async enqueue(ingests, { delayMs = 0 } = {}) {
      if (ingests.length === 0) return
      if (redis.status !== 'ready') throw new Error('the queue is away')
      const added = openQueue().addBulk(ingests.map(ingest => jobOf(ingest, delayMs)))
      await within(ENQUEUE_WITHIN_MS, added)
    },
    isUp: () => redis.status === 'ready',
    close: () => redis.disconnect(),
  }
}

const ENQUEUE_WITHIN_MS = 1_000

/**
 * A job that is there already is not added again: its id names the attempt it is for. Where one was not
 * taken up for long, another is added for the same attempt, ahead of all others: short files go first
 * otherwise, and a long one must not wait for ever.
 */
function jobOf({ id, size, attempt, ageMs }: Queueable, delayMs: number) {
  const isLate = ageMs > LATE_AFTER_MS
  const opts: JobsOptions = {
    jobId: `${id}-${attempt}${isLate ? '-late' : ''}`,
    priority: isLate ? 1 : 2 + Math.floor(size / MIB),
    delay: delayMs,
    // Bounded: what became of it stands in the database.
    removeOnComplete: true,
    removeOnFail: true,
  }
  return { name: QUEUE_NAME, data: { ingestId: id }, opts }
}

const LATE_AFTER_MS = 60_000
const MIB = 1024 * 1024

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
