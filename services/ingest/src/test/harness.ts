import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import contract from '@lapwing/contracts/ingest.json' with { type: 'json' }
import { type TestBucket, testBucket } from '@lapwing/object-store/testing'
import { createBaseDeps } from '@lapwing/service'
import {
  type Answer,
  type CallOptions,
  createCall,
  internalKey as key,
  silentLogger as logger,
  migratedDatabase,
  sendEvent,
} from '@lapwing/service/testing'
import type { TestDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { service } from '../app.ts'
import { createLeaderboardClient } from '../clients/leaderboard-client.ts'
import { createUploadClient } from '../clients/upload-client.ts'
import { loadWorkerConfig } from '../config.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { type IngestQueue, openIngestQueue } from '../ingests/ingest-queue.ts'
import { createOutcomeWaiter, type OutcomeWaiter } from '../ingests/outcome-waiter.ts'
import { createNetworkDigest } from '../people/network-digest.ts'
import { createReferencePool } from '../references/reference-pool.ts'
import { worker } from '../worker-app.ts'
import { type FakeIdentity, startFakeIdentity } from './fake-identity.ts'
import { type FakeLeaderboard, startFakeLeaderboard } from './fake-leaderboard.ts'
import { type FakeUpload, startFakeUpload, type UploadedFile } from './fake-upload.ts'
import { internalKey } from './serve.ts'
import { type TestRedis, testRedis } from './test-redis.ts'

export type { Answer, CallOptions } from '@lapwing/service/testing'

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly database: TestDatabase
  readonly bucket: TestBucket
  readonly upload: FakeUpload
  readonly identity: FakeIdentity
  readonly leaderboard: FakeLeaderboard
  readonly queue: IngestQueue
  /** Network addresses by account. An account without an entry gets its own at its first call. */
  readonly networks: Map<string, string>
  /** Environment of a worker process. */
  readonly env: Readonly<Record<string, string>>
  /** Calls an operation and checks the answer against the contract. */
  call(operationId: string, request: CallOptions): Promise<Answer>
  /** Requests that an uploaded file is judged. */
  ingest(as: string, file: UploadedFile): Promise<Answer>
  /** Stores a file in the bucket and requests that it is judged. */
  uploadAndIngest(as: string, bytes: Uint8Array): Promise<Answer>
  /** Sends the event that an account was deleted, as the account service does. */
  forget(userId: string): Promise<void>
  /** Starts a worker in this process. */
  startWorker(env?: Readonly<Record<string, string>>): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

export interface HarnessOptions extends Partial<Deps> {
  readonly database?: TestDatabase
  readonly redis?: TestRedis
  readonly maxWaiters?: number
  /** Wraps the waiter that the handlers use. */
  readonly watch?: (waiter: OutcomeWaiter) => OutcomeWaiter
}

/**
 * Starts the service with its own migrated database, bucket and queue, and with fakes of the other services.
 */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const undo: (() => unknown)[] = []
  try {
    return await start(options, undo)
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    throw error
  }
}

async function start(
  {
    database: givenDatabase,
    redis: givenRedis,
    maxWaiters = 1000,
    watch = waiter => waiter,
    ...changes
  }: HarnessOptions,
  undo: (() => unknown)[],
): Promise<Harness> {
  const migrations = join(import.meta.dirname, '../../migrations')
  const options = { connectWithinMs: 10_000 }
  const migrated = await migratedDatabase<Database>('ingest', migrations, options, givenDatabase)
  const { db, database } = migrated
  undo.push(migrated.close)
  const bucket = await testBucket()
  undo.push(() => bucket.drop())
  const redis = givenRedis ?? (await testRedis())
  undo.push(() => redis.stop())
  const upload = await startFakeUpload(bucket.store)
  undo.push(() => upload.close())
  const identity = await startFakeIdentity()
  undo.push(() => identity.close())
  const leaderboard = await startFakeLeaderboard()
  undo.push(() => leaderboard.close())
  const tempDir = mkdtempSync(join(tmpdir(), 'lapwing-ingest-test-'))
  undo.push(() => rmSync(tempDir, { recursive: true, force: true }))

  const queuePrefix = `test-${randomBytes(6).toString('hex')}`
  const queue = openIngestQueue({ redisUrl: redis.url, prefix: queuePrefix }, logger)
  undo.push(() => queue.close())
  const references = createReferencePool({ threads: 1 })
  undo.push(() => references.close())
  const app = service.build({
    ...createBaseDeps('ingest', { db, internalKey: key, logger }),
    networkDigest: createNetworkDigest(key),
    trustedProxies: ['127.0.0.1'],
    upload: createUploadClient({ url: upload.url, key }),
    leaderboard: createLeaderboardClient({ url: leaderboard.url, key }),
    store: bucket.store,
    queue,
    waiter: watch(createOutcomeWaiter({ db, maxWaiters, logger, pollMs: 50 })),
    waitMs: 30_000,
    references,
    ...changes,
  })
  undo.push(() => app.close())

  const { address } = bucket
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url.href,
    INGEST_QUEUE_PREFIX: queuePrefix,
    INTERNAL_KEY: internalKey,
    LEADERBOARD_URL: leaderboard.url.href,
    UPLOAD_URL: upload.url.href,
    IDENTITY_URL: identity.url.href,
    S3_ENDPOINT: address.endpoint,
    S3_BUCKET: address.bucket,
    S3_REGION: address.region,
    S3_ACCESS_KEY_ID: address.accessKeyId,
    S3_SECRET_ACCESS_KEY: address.secretAccessKey,
    TMPDIR: tempDir,
    INGEST_THREADS: '1',
    INGEST_LEASE_MS: '2000',
    INGEST_SWEEP_MS: '400',
    DRAIN_MS: '10000',
  }
  const networks = new Map<string, string>()
  const networkOf = (userId: string) => {
    const own = `198.18.${(networks.size >> 8) & 255}.${networks.size & 255}`
    const network = networks.get(userId) ?? own
    networks.set(userId, network)
    return network
  }
  const callService = createCall(app, contract)
  // Sets the header as the gateway does. Each account calls from its own network.
  const call: Harness['call'] = (operationId, { headers, ...options }) =>
    callService(operationId, {
      ...options,
      headers: { 'x-forwarded-for': networkOf(options.as ?? 'nobody'), ...headers },
    })
  const ingest: Harness['ingest'] = (as, { sessionId, key }) =>
    call('ingestBestFromSession', {
      method: 'POST',
      url: '/api/laps/ingest-best-from-session',
      as,
      body: { sessionId, key },
    })
  return {
    app,
    db,
    database,
    bucket,
    upload,
    identity,
    leaderboard,
    queue,
    networks,
    env,
    call,
    ingest,
    uploadAndIngest: async (as, bytes) => ingest(as, await upload.addFile(as, bytes)),
    forget: userId =>
      sendEvent(app, {
        case: 'accountDeleted',
        value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId },
      }),
    async startWorker(more = {}) {
      const running = await worker.start(loadWorkerConfig({ ...env, ...more }), logger)
      const close = () => running.close()
      undo.push(close)
      return { close }
    },
    async close() {
      for (const step of undo.toReversed()) await step()
    },
  }
}
