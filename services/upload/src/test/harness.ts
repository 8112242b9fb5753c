import { join } from 'node:path'
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  createServiceTokenSigner,
  createServiceTokenVerifier,
  IDENTITY_HEADER,
  requireUser,
} from '@lapwing/auth'
import contract from '@lapwing/contracts/upload.json' with { type: 'json' }
import { createDb, migrateToLatest } from '@lapwing/db'
import { createLogger } from '@lapwing/http'
import type { BucketAddress, ObjectStore } from '@lapwing/object-store'
import { type TestBucket, testBucket } from '@lapwing/object-store/testing'
import { makeSampleSession } from '@lapwing/telemetry'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { buildApp } from '../app.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { createStoreWatch } from '../store-watch.ts'

const internalKey = new TextEncoder().encode('a key of at least thirty-two bytes')
const logger = createLogger('upload', 'silent')

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly store: ObjectStore
  readonly address: BucketAddress
  /** The service's clock; a test turns it. */
  readonly clock: { now: Date }
  /** Calls an operation, as that user where one is given, and holds the answer against the contract. */
  call(operationId: string, options: CallOptions): Promise<Answer>
  init(as: string, changes?: object): Promise<Answer>
  complete(as: string, announced: Announced): Promise<Answer>
  /** Announces a file of these bytes and answers its form. */
  announce(as: string, bytes: Uint8Array): Promise<Announced>
  /** What ingest asks; null for 404. */
  readSession(sessionId: string): Promise<Record<string, unknown> | null>
  /** The same service on the same database, with other parts of the world. */
  variant(changes: Partial<Deps>): Pick<Harness, 'call' | 'init' | 'complete'>
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Record<string, unknown>
}

export interface Announced {
  readonly sessionId: string
  readonly key: string
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

interface CallOptions {
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A sound file of 5 MB, the same in every test. */
export const sampleFile = makeSampleSession()

/** The service on a real, migrated database and a real bucket of its own, or on those that a test brings. */
export async function harness(world: Partial<World> = {}): Promise<Harness> {
  const database = world.database ?? (await testDatabase('upload'))
  try {
    const bucket = world.bucket ?? (await testBucket())
    return await start({ database, bucket })
  } catch (error) {
    await database.drop()
    throw error
  }
}

interface World {
  readonly database: TestDatabase
  readonly bucket: TestBucket
}

async function start({ database, bucket }: World): Promise<Harness> {
  const db = createDb<Database>({
    url: database.url,
    schema: 'upload',
    poolSize: 20,
  })
  await migrateToLatest(db as never, {
    folder: join(import.meta.dirname, '../../migrations'),
    schema: 'upload',
  })
  const { store, address } = bucket
  const clock = { now: new Date() }
  const deps: Deps = {
    db,
    store,
    // Asks every time: tests take the store away.
    storeWatch: createStoreWatch(store, logger, { up: 0, down: 0 }),
    requirePrincipal: requireUser('upload', createPrincipalVerifier(internalKey)),
    isService: createServiceTokenVerifier(internalKey, 'upload'),
    internalKey,
    now: () => clock.now,
    keepDays: 30,
    bounds: { account: 2 * 1024 ** 3, network: 10 * 1024 ** 3, total: null },
    findJudged: undefined,
  }
  const app = buildApp(deps, logger)
  const apps = [app]
  const own = calls(app)
  return {
    ...own,
    app,
    db,
    store,
    address,
    clock,
    async announce(as, bytes) {
      const { status, body } = await own.init(as, { size: bytes.length })
      if (status !== 200) throw new Error(`init answered ${status} ${String(body.code)}`)
      return body as unknown as Announced
    },
    async readSession(sessionId) {
      const answer = await app.inject({
        url: `/internal/upload-sessions/${sessionId}`,
        headers: { authorization: `Bearer ${await signService()}` },
      })
      if (answer.statusCode === 404) return null
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
      return answer.json()
    },
    variant(changes) {
      const other = buildApp({ ...deps, ...changes }, logger)
      apps.push(other)
      return calls(other)
    },
    async close() {
      for (const each of apps) await each.close()
      await db.destroy()
      await database.drop()
      await bucket.drop()
    },
  }
}

const signPrincipal = createPrincipalSigner(internalKey)
/** As another service signs what it asks. */
export const signService = createServiceTokenSigner(internalKey, 'upload')

function calls(app: FastifyInstance): Pick<Harness, 'call' | 'init' | 'complete'> {
  const call: Harness['call'] = async (operationId, { method = 'POST', url, as, body, headers }) => {
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(as === undefined
          ? {}
          : {
              [IDENTITY_HEADER]: await signPrincipal({ userId: as, sessionId: 'session-test-1', roles: [] }),
            }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    checkAnswer(contract, operationId, answer)
    return {
      status: answer.statusCode,
      body: answer.body === '' ? {} : answer.json(),
      headers: answer.headers,
    }
  }
  return {
    call,
    init: (as, changes = {}) =>
      call('initUpload', {
        url: '/api/v1/upload/init',
        as,
        body: { filename: 'a lap.ibt', size: 1000, contentType: '', ...changes },
      }),
    complete: (as, { sessionId, key }) =>
      call('completeUpload', { url: '/api/v1/upload/complete', as, body: { sessionId, key } }),
  }
}
