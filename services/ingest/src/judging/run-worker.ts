import { setTimeout as pause } from 'node:timers/promises'
import { connectRedis, logAbsence } from '@lapwing/redis'
import { withSpan } from '@lapwing/tracing'
import { Worker } from 'bullmq'
import type { Logger } from 'pino'
import { type IngestJob, QUEUE_NAME, type QueueAddress } from '../ingests/ingest-queue.ts'

export interface RunningWorker {
  /** Claims no more and waits for running ingests. After `graceMs` calls `stop`, which must end them soon. */
  close(options: { readonly graceMs: number; readonly stop: () => void }): Promise<void>
}

export interface WorkerOptions extends QueueAddress {
  /** Ingests that run at the same time. */
  readonly concurrency: number
  readonly process: (ingestId: string) => Promise<void>
  readonly logger: Logger
}

/** Runs jobs of the queue until it is closed. Connects again by itself after Redis was down. */
export function runWorker({ redisUrl, prefix, concurrency, process, logger }: WorkerOptions): RunningWorker {
  const log = logAbsence(logger, 'jobs')
  const redis = connectRedis(redisUrl, log, { maxRetriesPerRequest: null })
  const underWay = new Set<Promise<void>>()
  const worker = new Worker<IngestJob>(
    QUEUE_NAME,
    async ({ data }) => {
      const span = {
        name: `process ${QUEUE_NAME}`,
        kind: 'consumer',
        parent: data.traceparent ?? null,
        labels: { 'messaging.system': 'bullmq', 'messaging.destination.name': QUEUE_NAME },
      } as const
      const work = withSpan(span, () => process(data.ingestId)).catch((error: unknown) => {
        logger.warn({ err: error, ingest: data.ingestId }, 'a file could not be claimed')
      })
      underWay.add(work)
      await work.finally(() => underWay.delete(work))
    },
    {
      connection: redis,
      prefix,
      concurrency,
      skipVersionCheck: true,
      // The lock only saves work: the database decides which attempt records. So the lock can be short, and the
      // job of a killed worker is soon back in the queue, however often.
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 1_000,
      drainDelay: 2,
      runRetryDelay: 500,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  )
  worker.on('error', log.onError)

  return {
    async close({ graceMs, stop }) {
      // Not awaited: a Redis that does not answer must not delay handing back.
      const closed = worker.close().catch(log.onError)
      const timer = setTimeout(stop, graceMs)
      while (underWay.size > 0) await Promise.all(underWay)
      clearTimeout(timer)
      await Promise.race([closed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })])
      redis.disconnect()
    },
  }
}

const CLOSE_WITHIN_MS = 2_000
