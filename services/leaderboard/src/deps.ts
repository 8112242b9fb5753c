import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/leaderboard'
import { openRedis } from '@lapwing/redis'
import { type BaseDeps, createBaseDeps, openDatabase } from '@lapwing/service'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Contexts, createContexts } from './contexts/contexts.ts'
import type { Database } from './database.ts'
import { createWindows, type Windows } from './windows/windows.ts'

/** The handler of an operation of the contract, by its id. */
export type HandlerOf<Id extends keyof operations> = Handlers<operations>[Id]

/** The dependencies of the handlers. */
export interface Deps extends BaseDeps<Database> {
  readonly contexts: Contexts
  readonly windows: Windows
  /** Returns whether Redis is connected, which `/readyz` shows. False without Redis. */
  readonly isCacheUp: () => boolean
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const { internalKey } = config
  const db = openDatabase<Database>('leaderboard', config, logger, { prepare: true })
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, logger)
  const windows = createWindows(redis, logger)
  return {
    ...createBaseDeps('leaderboard', { db, internalKey, logger }),
    contexts: createContexts(db),
    windows,
    isCacheUp: () => redis?.isUp() ?? false,
    async close() {
      windows.close()
      await db.destroy()
    },
  }
}
