import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/upload'
import { bucketAddress, createObjectStore, type ObjectStore } from '@lapwing/object-store'
import { type BaseDeps, createBaseDeps, openDatabase } from '@lapwing/service'
import type { Logger } from 'pino'
import { createFindJudged, type FindJudged } from './clients/ingest-client.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { createStoreWatch, type StoreWatch } from './store-watch.ts'
import type { Quotas } from './sweeping/expendable-files.ts'

/** The handler of an operation of the contract, by its id. */
export type HandlerOf<Id extends keyof operations> = Handlers<operations>[Id]

/** The dependencies of the handlers and the sweeper. */
export interface Deps extends BaseDeps<Database> {
  readonly store: ObjectStore
  readonly storeWatch: StoreWatch
  /** Days for which a file is stored after its upload. */
  readonly keepDays: number
  /** Quotas of stored bytes. Above them the oldest files are removed first. */
  readonly quotas: Quotas
  /** Finds the judged files. Undefined without an ingest service. */
  readonly findJudged: FindJudged | undefined
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const { internalKey } = config
  const db = openDatabase<Database>('upload', config, logger)
  const store = createObjectStore(bucketAddress(config))
  return {
    ...createBaseDeps('upload', { db, internalKey, logger }),
    store,
    storeWatch: createStoreWatch(store, logger),
    keepDays: config.keepDays,
    quotas: {
      account: config.maxBytesOfAccount,
      network: config.maxBytesOfNetwork,
      total: config.maxBytesInAll,
    },
    findJudged: config.ingestUrl === null ? undefined : createFindJudged(config.ingestUrl, internalKey),
    async close() {
      store.close()
      await db.destroy()
    },
  }
}
