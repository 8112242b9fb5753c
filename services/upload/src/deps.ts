import {
  createPrincipalVerifier,
  createServiceTokenVerifier,
  type Principal,
  requireUser,
} from '@lapwing/auth'
import { createDb } from '@lapwing/db'
import { bucketAddress, createObjectStore, type ObjectStore } from '@lapwing/object-store'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createFindJudged, type FindJudged } from './clients/ingest-client.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { createStoreWatch, type StoreWatch } from './store-watch.ts'
import type { KeptBounds } from './sweeping/kept-files.ts'

/** All that the handlers use of the world. */
export interface Deps {
  readonly db: Kysely<Database>
  readonly store: ObjectStore
  readonly storeWatch: StoreWatch
  readonly requirePrincipal: (request: FastifyRequest) => Promise<Principal>
  /** Whether an `Authorization` header is that of another service of ours. */
  readonly isService: (authorization: string | undefined) => Promise<boolean>
  readonly internalKey: Uint8Array
  readonly now: () => Date
  /** Days for which a file is kept after its upload. */
  readonly keepDays: number
  /** Beyond them the oldest files go first. */
  readonly bounds: KeptBounds
  /** Undefined without an ingest service. */
  readonly findJudged: FindJudged | undefined
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const internalKey = new TextEncoder().encode(config.internalKey)
  const db = createDb<Database>({
    url: config.databaseUrl.href,
    schema: 'upload',
    poolSize: config.poolSize,
    onIdleError: error => logger.warn({ err: error }, 'a database connection was lost'),
  })
  const store = createObjectStore(bucketAddress(config))
  return {
    db,
    store,
    storeWatch: createStoreWatch(store, logger),
    requirePrincipal: requireUser('upload', createPrincipalVerifier(internalKey)),
    isService: createServiceTokenVerifier(internalKey, 'upload'),
    internalKey,
    now: () => new Date(),
    keepDays: config.keepDays,
    bounds: {
      account: config.maxKeptBytes,
      network: config.maxKeptBytesOfNetwork,
      total: config.maxKeptBytesInAll,
    },
    findJudged: config.ingestUrl === null ? undefined : createFindJudged(config.ingestUrl, internalKey),
    async close() {
      store.close()
      await db.destroy()
    },
  }
}
