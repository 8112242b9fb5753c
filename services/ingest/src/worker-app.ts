import { join } from 'node:path'
import { diskLevels } from '@lapwing/files/disk-levels'
import { createTempFolder, type TempFolder } from '@lapwing/files/temp-folder'
import { bucketAddress, createObjectStore, createStoreCheck, type ObjectStore } from '@lapwing/object-store'
import { createService, openDatabase } from '@lapwing/service'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createIdentityClient, type IdentityClient } from './clients/identity-client.ts'
import { createLeaderboardClient, type LeaderboardClient } from './clients/leaderboard-client.ts'
import { createSemaphore } from './clients/semaphore.ts'
import { loadWorkerConfig, type WorkerConfig } from './config.ts'
import type { Database } from './database.ts'
import { type IngestQueue, openIngestQueue } from './ingests/ingest-queue.ts'
import { createJudgePool, type JudgePool } from './judging/judge-pool.ts'
import { processIngest } from './judging/process-ingest.ts'
import { runWorker } from './judging/run-worker.ts'
import { startSweeper } from './sweeping/sweeper.ts'

interface WorkerDeps {
  readonly db: Kysely<Database>
  readonly store: ObjectStore
  readonly files: TempFolder
  readonly pool: JudgePool
  readonly queue: IngestQueue
  readonly leaderboard: LeaderboardClient
  readonly identity: IdentityClient | null
  readonly logger: Logger
}

/** The process that judges files from the queue and runs the sweeps. It answers only health checks. */
export const worker = createService<WorkerConfig, WorkerDeps, never>({
  name: 'ingest-worker',
  config: loadWorkerConfig,
  deps: createWorkerDeps,
  errors: {},
  migrations: join(import.meta.dirname, '../migrations'),
  health: ({ pool, files, queue, store }) => ({
    checks: { threads: () => pool.isAlive(), disk: files.isWritable, store: createStoreCheck(store) },
    shown: { queue: () => queue.isUp() },
  }),
  levels: ({ files }) => diskLevels(files.path),
  background: startWork,
})

async function createWorkerDeps(config: WorkerConfig, logger: Logger) {
  const files = await createTempFolder(config.tempDir, 'ingest')
  const db = openDatabase<Database>('ingest', config, logger)
  const store = createObjectStore(bucketAddress(config))
  const key = config.internalKey
  const { threads, threadHeapMb: heapMb, judgeTimeoutMs: timeoutMs } = config
  const pool = createJudgePool({ threads, heapMb, timeoutMs })
  const queue = openIngestQueue({ redisUrl: config.redisUrl, prefix: config.queuePrefix }, logger)
  return {
    db,
    store,
    files,
    pool,
    queue,
    leaderboard: createLeaderboardClient({ url: config.leaderboardUrl, key }),
    identity: config.identityUrl === null ? null : createIdentityClient({ url: config.identityUrl, key }),
    logger,
    async close() {
      await pool.close()
      queue.close()
      store.close()
      await db.destroy()
      await files.remove()
    },
  }
}

/** Starts the worker and the sweeper. After `close` no job starts; running jobs end or are handed back. */
function startWork(deps: WorkerDeps, config: WorkerConfig): { close(): Promise<void> } {
  const { threads, judgeTimeoutMs, leaseMs, orphanMs, voteAgeMs, recheckMs } = config
  // Per thread one file that is judged, and the next one.
  const limit = createSemaphore({ atOnce: 2 * threads, maxWaitMs: judgeTimeoutMs })
  const judging = { ...deps, limit, leaseMs }
  const stopping = new AbortController()
  const running = runWorker({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    // While a thread judges one file, the worker fetches the next and stores the result of the last.
    concurrency: 3 * threads,
    process: ingestId => processIngest(judging, ingestId, stopping.signal),
    logger: deps.logger,
  })
  const votes = { voteAgeMs, recheckMs }
  const now = () => new Date()
  const sweeper = startSweeper({ ...judging, votes, orphanMs, now }, { everyMs: config.sweepMs })
  return {
    async close() {
      const graceMs = Math.max(0, config.drainMs - HAND_BACK_MS)
      await Promise.all([running.close({ graceMs, stop: () => stopping.abort() }), sweeper.close()])
    },
  }
}

/** Milliseconds at the end of the drain in which aborted jobs are handed back and connections close. */
const HAND_BACK_MS = 6_000
