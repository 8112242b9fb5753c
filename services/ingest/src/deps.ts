import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/ingest'
import { bucketAddress, createObjectStore, type ObjectStore } from '@lapwing/object-store'
import { type BaseDeps, createBaseDeps, openDatabase } from '@lapwing/service'
import type { Logger } from 'pino'
import { createLeaderboardClient, type LeaderboardClient } from './clients/leaderboard-client.ts'
import { createUploadClient, type UploadClient } from './clients/upload-client.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { type IngestQueue, openIngestQueue } from './ingests/ingest-queue.ts'
import { createOutcomeWaiter, type OutcomeWaiter } from './ingests/outcome-waiter.ts'
import { createNetworkDigest } from './people/network-digest.ts'
import { createReferencePool, type ReferencePool } from './references/reference-pool.ts'

/** The handler of an operation of the contract, by its id. */
export type HandlerOf<Id extends keyof operations> = Handlers<operations>[Id]

/** The dependencies of the handlers. */
export interface Deps extends BaseDeps<Database> {
  readonly networkDigest: ReturnType<typeof createNetworkDigest>
  /** Addresses of the gateway, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly upload: UploadClient
  readonly leaderboard: LeaderboardClient
  readonly store: Pick<ObjectStore, 'get' | 'check'>
  readonly queue: Pick<IngestQueue, 'enqueue' | 'isUp' | 'countJobs'>
  /** Closed when the process drains. Waiting requests then get the address to ask again. */
  readonly waiter: OutcomeWaiter
  /** Milliseconds for which a request waits until its file is judged. */
  readonly waitMs: number
  readonly references: ReferencePool
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const { internalKey } = config
  // Many requests may arrive at the same time. Each waits much longer than this for its file anyway.
  const db = openDatabase<Database>('ingest', config, logger, { connectWithinMs: 10_000 })
  const store = createObjectStore(bucketAddress(config))
  const queue = openIngestQueue({ redisUrl: config.redisUrl, prefix: config.queuePrefix }, logger)
  const references = createReferencePool({ threads: config.referenceThreads })
  return {
    ...createBaseDeps('ingest', { db, internalKey, logger }),
    networkDigest: createNetworkDigest(internalKey),
    trustedProxies: config.trustedProxies,
    upload: createUploadClient({ url: config.uploadUrl, key: internalKey }),
    leaderboard: createLeaderboardClient({ url: config.leaderboardUrl, key: internalKey }),
    store,
    queue,
    waiter: createOutcomeWaiter({ db, maxWaiters: config.maxWaiters, logger }),
    waitMs: config.waitMs,
    references,
    async close() {
      await references.close()
      queue.close()
      store.close()
      await db.destroy()
    },
  }
}
