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

/** What the handlers use. */
export interface Deps extends BaseDeps<Database> {
  /** Returns the keyed digest of the network a request comes from; null if it is not known. */
  readonly networkOf: (request: FastifyRequest) => Buffer | null
  /** The addresses of the gateway, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  readonly upload: UploadClient
  readonly leaderboard: LeaderboardClient
  readonly store: Pick<ObjectStore, 'get'>
  readonly queue: Pick<IngestQueue, 'enqueue' | 'isUp'>
  /** Closed when the process drains: a request that waits is answered where to ask. */
  readonly waiter: OutcomeWaiter
  /** Milliseconds a request waits for its file to be judged. */
  readonly waitMs: number
  readonly references: ReferencePool
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const { internalKey } = config
  // Many may ask for a file at once, and each of them waits for its file much longer than that.
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

/** The app finds the address behind the gateway: see `trustedProxies`. */
export function createNetworkOf(internalKey: Uint8Array): Deps['networkOf'] {
  const digest = createNetworkDigest(internalKey)
  return request => digest(request.ip)
}
