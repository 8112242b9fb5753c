import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  IDENTITY_HEADER,
  type Principal,
  requireUser,
} from '@lapwing/auth'
import { EventSchema } from '@lapwing/contracts/events.pb'
import contract from '@lapwing/contracts/ingest.json' with { type: 'json' }
import { createDb, migrateToLatest } from '@lapwing/db'
import { createEventSigner, EVENTS_PATH } from '@lapwing/events'
import { createLogger } from '@lapwing/http'
import { type TestBucket, testBucket } from '@lapwing/object-store/testing'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { buildApp } from '../app.ts'
import { createLeaderboardClient } from '../clients/leaderboard-client.ts'
import { createUploadClient } from '../clients/upload-client.ts'
import { loadWorkerConfig } from '../config.ts'
import type { Database } from '../database.ts'
import { createNetworkOf, type Deps } from '../deps.ts'
import { type IngestQueue, openIngestQueue } from '../ingests/ingest-queue.ts'
import { createOutcomeWaiter, type OutcomeWaiter } from '../ingests/outcome-waiter.ts'
import { createReferencePool } from '../references/reference-pool.ts'
import { startWorker } from '../start-worker.ts'
import { type FakeIdentity, startFakeIdentity } from './fake-identity.ts'
import { type FakeLeaderboard, startFakeLeaderboard } from './fake-leaderboard.ts'
import { type FakeUpload, type GivenFile, startFakeUpload } from './fake-upload.ts'
import { internalKey } from './serve.ts'
import { type TestRedis, testRedis } from './test-redis.ts'

const key = new TextEncoder().encode(internalKey)

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly bytes: Buffer
  readonly headers: Record<string, unknown>
}

export interface CallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly database: TestDatabase
  readonly bucket: TestBucket
  readonly upload: FakeUpload
  readonly identity: FakeIdentity
  readonly leaderboard: FakeLeaderboard
  readonly queue: IngestQueue
  /** Networks from which people call, if not from one of their own. */
  readonly networks: Map<string, string>
  /** Of a worker process. */
  readonly env: Readonly<Record<string, string>>
  /** Calls an operation, as that user where one is given, and holds the answer against the contract. */
  call(operationId: string, request: CallOptions): Promise<Answer>
  /** Asks for a given file to be judged. */
  ingest(as: string, file: GivenFile): Promise<Answer>
  /** Lays a file in the bucket and asks for it to be judged. */
  giveAndIngest(as: string, bytes: Uint8Array): Promise<Answer>
  /** Tells the service that a person's account was deleted, as account does. */
  forget(userId: string): Promise<void>
  /** A worker in this process. */
  startWorker(env?: Readonly<Record<string, string>>): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

export interface HarnessOptions extends Partial<Deps> {
  readonly database?: TestDatabase
  readonly redis?: TestRedis
  readonly maxWaiters?: number
  /** What stands between the handlers and the waiter. */
  readonly watch?: (waiter: OutcomeWaiter) => OutcomeWaiter
}

/** The service on a real, migrated database, a bucket and a queue of its own; its neighbours are played. */
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
  const database = givenDatabase ?? (await testDatabase('ingest'))
  undo.push(() => database.drop())
  const db = createDb<Database>({
    url: database.url,
    schema: 'ingest',
    poolSize: 20,
    connectWithinMs: 10_000,
  })
  undo.push(() => db.destroy())
  await migrateToLatest(db as never, {
    folder: join(import.meta.dirname, '../../migrations'),
    schema: 'ingest',
  })
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

  const logger = createLogger('ingest', process.env.TEST_LOG_LEVEL ?? 'silent')
  const queuePrefix = `test-${randomBytes(6).toString('hex')}`
  const queue = openIngestQueue({ redisUrl: redis.url, prefix: queuePrefix }, logger)
  undo.push(() => queue.close())
  const references = createReferencePool({ threads: 1 })
  undo.push(() => references.close())
  const app = buildApp({
    db,
    requirePrincipal: requireUser('ingest', createPrincipalVerifier(key)),
    networkOf: createNetworkOf(key),
    trustedProxies: ['127.0.0.1'],
    internalKey: key,
    upload: createUploadClient({ url: upload.url, key }),
    leaderboard: createLeaderboardClient({ url: leaderboard.url, key }),
    store: bucket.store,
    queue,
    waiter: watch(createOutcomeWaiter({ db, maxWaiters, logger, pollMs: 20 })),
    waitMs: 30_000,
    references,
    logger,
    now: () => new Date(),
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
    INGEST_SWEEP_MS: '200',
    DRAIN_MS: '10000',
  }
  const networks = new Map<string, string>()
  const networkOf = (userId: string) => {
    const own = `198.18.${(networks.size >> 8) & 255}.${networks.size & 255}`
    const network = networks.get(userId) ?? own
    networks.set(userId, network)
    return network
  }
  const sign = createPrincipalSigner(key)
  const signEvent = createEventSigner(key)

  const call: Harness['call'] = async (operationId, { method, url, as, body, headers }) => {
    const principal: Principal | undefined =
      as === undefined ? undefined : { userId: as, sessionId: `session-${randomUUID()}`, roles: [] }
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(principal === undefined ? {} : { [IDENTITY_HEADER]: await sign(principal) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // As the gateway says it. Each person calls from a network of their own.
        'x-forwarded-for': networkOf(as ?? 'nobody'),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isPlain = answer.headers['content-encoding'] === undefined
    if (isPlain) checkAnswer(contract, operationId, answer)
    const isJson = isPlain && String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : {},
      bytes: answer.rawPayload,
      headers: answer.headers,
    }
  }
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
    giveAndIngest: async (as, bytes) => ingest(as, await upload.give(as, bytes)),
    async forget(userId) {
      const event = create(EventSchema, {
        id: randomUUID(),
        occurredAtMs: BigInt(Date.now()),
        payload: { case: 'accountDeleted', value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId } },
      })
      const payload = Buffer.from(toBinary(EventSchema, event))
      const answer = await app.inject({
        method: 'POST',
        url: EVENTS_PATH,
        headers: {
          'content-type': 'application/x-protobuf',
          authorization: `Bearer ${await signEvent(createHash('sha256').update(payload).digest('base64url'))}`,
        },
        payload,
      })
      assert.equal(answer.statusCode, 204)
    },
    async startWorker(more = {}) {
      const worker = await startWorker(loadWorkerConfig({ ...env, ...more }), logger)
      const close = () => worker.app.close()
      undo.push(close)
      return { close }
    },
    async close() {
      for (const step of undo.toReversed()) await step()
    },
  }
}
