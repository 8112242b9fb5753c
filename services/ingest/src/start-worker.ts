import { createDb } from '@lapwing/db'
import { createTempFolder, type TempFolder } from '@lapwing/files/temp-folder'
import { addHealth, createApp } from '@lapwing/http'
import { bucketAddress, createObjectStore } from '@lapwing/object-store'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createIdentityClient } from './clients/identity-client.ts'
import { createLeaderboardClient } from './clients/leaderboard-client.ts'
import { createSemaphore } from './clients/semaphore.ts'
import type { WorkerConfig } from './config.ts'
import type { Database } from './database.ts'
import { openIngestQueue } from './ingests/ingest-queue.ts'
import { createJudgePool } from './judging/judge-pool.ts'
import { processIngest } from './judging/process-ingest.ts'
import { runWorker } from './judging/run-worker.ts'
import { startSweeper } from './sweeping/sweeper.ts'

/**
 * Starts a worker and its sweeper. The returned app serves their health, and closing it stops both: the
 * worker claims nothing more, its files end or are handed back, and then all connections close.
 */
export async function startWorker(
  config: WorkerConfig,
  logger: Logger,
): Promise<{ readonly app: FastifyInstance; readonly files: TempFolder }> {
  const files = await createTempFolder(config.tempDir, 'ingest')
  const db = createDb<Database>({
    url: config.databaseUrl.href,
    schema: 'ingest',
    poolSize: config.poolSize,
    onIdleError: error => logger.warn({ err: error }, 'a database connection was lost'),
  })
  const store = createObjectStore(bucketAddress(config))
  const key = new TextEncoder().encode(config.internalKey)
  const leaderboard = createLeaderboardClient({ url: config.leaderboardUrl, key })
  const identity = config.identityUrl === null ? null : createIdentityClient({ url: config.identityUrl, key })
  const votes = { voteAgeMs: config.voteAgeMs, recheckMs: config.recheckMs }
  const location = { redisUrl: config.redisUrl, prefix: config.queuePrefix }
  const queue = openIngestQueue(location, logger)
  const { threads, threadHeapMb: heapMb, judgeTimeoutMs: timeoutMs, leaseMs, orphanMs } = config
  const pool = createJudgePool({ threads, heapMb, timeoutMs })
  // One file for each thread, and the next one.
  const limit = createSemaphore({ atOnce: 2 * threads, maxWaitMs: timeoutMs })
  const now = () => new Date()
  const judging = { db, store, pool, files, limit, leaderboard, queue, logger, leaseMs }
  const stopping = new AbortController()
  const worker = runWorker({
    ...location,
    // While a thread judges one file, the next is fetched, and the one before is recorded.
    concurrency: 3 * threads,
    process: ingestId => processIngest(judging, ingestId, stopping.signal),
    logger,
  })
  const sweeper = startSweeper({ ...judging, identity, votes, orphanMs, now }, { everyMs: config.sweepMs })

  const app = createApp({ service: 'ingest', errors: {}, logger })
  addHealth(
    app,
    {
      database: async () => {
        await sql`select 1`.execute(db)
        return true
      },
      threads: () => pool.isAlive(),
      disk: files.isWritable,
    },
    { shown: { queue: () => queue.isUp() } },
  )
  app.addHook('onClose', async () => {
    const graceMs = Math.max(0, config.drainMs - HAND_BACK_MS)
    await Promise.all([worker.close({ graceMs, stop: () => stopping.abort() }), sweeper.close()])
    await pool.close()
    queue.close()
    store.close()
    await db.destroy()
    await files.remove()
  })
  return { app, files }
}

/** The part of the drain that is left to hand files back and to close. */
const HAND_BACK_MS = 6_000
