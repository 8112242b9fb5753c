import { join } from 'node:path'
import contract from '@lapwing/contracts/upload.json' with { type: 'json' }
import type { BucketAddress, ObjectStore } from '@lapwing/object-store'
import { type TestBucket, testBucket } from '@lapwing/object-store/testing'
import { createBaseDeps } from '@lapwing/service'
import {
  type Answer,
  type Call,
  createCall,
  internalKey,
  migratedDatabase,
  signService,
  silentLogger,
} from '@lapwing/service/testing'
import { makeSampleSession } from '@lapwing/simulator/sample'
import type { TestDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { service } from '../app.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { createStoreWatch } from '../store-watch.ts'

export type { Answer } from '@lapwing/service/testing'

export interface Harness extends Calls {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly store: ObjectStore
  readonly address: BucketAddress
  /** The service's clock, which a test may set. */
  readonly clock: { now: Date }
  /** Announces a file of these bytes and returns its upload form. */
  announce(as: string, bytes: Uint8Array): Promise<Announced>
  /** Returns what ingest gets about an upload; null for a 404. */
  readSession(sessionId: string): Promise<Record<string, unknown> | null>
  /** Starts another app on the same database, with other dependencies. */
  variant(changes: Partial<Deps>): Calls
  close(): Promise<void>
}

interface Calls {
  call: Call
  init(as: string, changes?: object): Promise<Answer>
  complete(as: string, announced: Announced): Promise<Answer>
}

export interface Announced {
  readonly sessionId: string
  readonly key: string
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** A valid file of 5 MB, the same in every test. */
export const sampleFile = makeSampleSession()

/** Starts the service with the given database and bucket, or with its own. Migrates the database. */
export async function harness(
  given: { readonly database?: TestDatabase; readonly bucket?: TestBucket } = {},
): Promise<Harness> {
  const migrations = join(import.meta.dirname, '../../migrations')
  const { db, close } = await migratedDatabase<Database>('upload', migrations, {}, given.database)
  const bucket = given.bucket ?? (await testBucket())
  const { store, address } = bucket
  const clock = { now: new Date() }
  const deps: Deps = {
    ...createBaseDeps('upload', { db, internalKey, logger: silentLogger }),
    store,
    // Without a cache, because tests make the store unavailable.
    storeWatch: createStoreWatch(store, silentLogger, { up: 0, down: 0 }),
    now: () => clock.now,
    keepDays: 30,
    quotas: { account: 2 * 1024 ** 3, network: 10 * 1024 ** 3, total: null },
    findJudged: undefined,
  }
  const app = service.build(deps)
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
      return body
    },
    async readSession(sessionId) {
      const answer = await app.inject({
        url: `/internal/upload-sessions/${sessionId}`,
        headers: { authorization: await signService('upload') },
      })
      if (answer.statusCode === 404) return null
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
      return answer.json()
    },
    variant(changes) {
      const other = service.build({ ...deps, ...changes })
      apps.push(other)
      return calls(other)
    },
    async close() {
      for (const each of apps) await each.close()
      await close()
      await bucket.drop()
    },
  }
}

function calls(app: FastifyInstance): Calls {
  const call = createCall(app, contract)
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
