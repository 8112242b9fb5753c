import { bucketAddress, createObjectStore, type ObjectStore } from '@lapwing/object-store'
import { type BaseDeps, createBaseDeps, openDatabase } from '@lapwing/service'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { createLeaderboardClient, type LeaderboardClient } from './clients/leaderboard-client.ts'
import { createUploadClient, type UploadClient } from './clients/upload-client.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { type IngestQueue, openIngestQueue } from './ingests/ingest-queue.ts'
import { createOutcomeWaiter, type OutcomeWaiter } from './ingests/outcome-waiter.ts'
import { createNetworkDigest } from './people/network-digest.ts'
import { createReferencePool, type ReferencePool } from './references/reference-pool.ts'

/** The dependencies of the handlers. */
export interface Deps extends BaseDeps<Database> {
  /** Returns the keyed digest of the network that a request comes from, or null if it is unknown. */
  readonly networkOf: (request: FastifyRequest) => Buffer | null
  /** Addresses of the gateway, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly upload: UploadClient
  readonly leaderboard: LeaderboardClient
  readonly store: Pick<ObjectStore, 'get'>
  readonly queue: Pick<IngestQueue, 'enqueue' | 'isUp'>
  /**
   * Closed when the process drains. A waiting request then gets the address where the client can ask again.
   */
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
    networkOf: createNetworkOf(internalKey),
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

/**
 * Creates `networkOf`. It reads `request.ip`, the client's address behind the gateway; see `trustedProxies`.
 */
export function createNetworkOf(internalKey: Uint8Array): Deps['networkOf'] {
  const digest = createNetworkDigest(internalKey)
  return request => digest(request.ip)
}
