import { connectRedis, logAbsence } from '@lapwing/redis'
import { Worker } from 'bullmq'
import type { Logger } from 'pino'
import { type IngestJob, QUEUE_NAME, type QueueAddress } from '../ingests/ingest-queue.ts'

export interface RunningWorker {
  /**
   * Takes nothing more, and resolves when what is under way has ended: `stop` is called after `graceMs`,
   * and must make it end soon.
   */
  close(options: { readonly graceMs: number; readonly stop: () => void }): Promise<void>
}

export interface WorkerOptions extends QueueAddress {
  /** Ingests under way at once. */
  readonly concurrency: number
  readonly process: (ingestId: string) => Promise<void>
  readonly logger: Logger
}

/** Takes jobs off the queue for as long as it is open; a Redis that was away is found again by itself. */
export function runWorker({ redisUrl, prefix, concurrency, process, logger }: WorkerOptions): RunningWorker {
  const log = logAbsence(logger, 'the queue')
  const redis = connectRedis(redisUrl, log, { maxRetriesPerRequest: null })
  const underWay = new Set<Promise<void>>()
  const worker = new Worker<IngestJob>(
    QUEUE_NAME,
    async ({ data }) => {
      const work = process(data.ingestId).catch((error: unknown) => {
        logger.warn({ err: error, ingest: data.ingestId }, 'a file could not be taken up')
      })
      underWay.add(work)
      await work.finally(() => underWay.delete(work))
    },
    {
      connection: redis,
      prefix,
      concurrency,
      skipVersionCheck: true,
      // The lock only spares work: who may record is decided in the database. So it may be short, and what
      // a killed worker held is back in the queue soon, however often.
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
      // Without waiting: what Redis does not answer must not keep anybody from handing back.
      const closed = worker.close().catch(log.onError)
      const timer = setTimeout(stop, graceMs)
      while (underWay.size > 0) await Promise.all(underWay)
      clearTimeout(timer)
      const tooLate = new Promise(resolve => setTimeout(resolve, CLOSE_WITHIN_MS).unref())
      await Promise.race([closed, tooLate])
      redis.disconnect()
    },
  }
}

const CLOSE_WITHIN_MS = 2_000
