import { createPrincipalVerifier, type Principal, requireUser } from '@lapwing/auth'
import { createDb } from '@lapwing/db'
import { openRedis } from '@lapwing/redis'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Contexts, createContexts } from './contexts/contexts.ts'
import type { Database } from './database.ts'
import { createWindows, type Windows } from './windows/windows.ts'

/** All that the handlers use of the world. */
export interface Deps {
  readonly db: Kysely<Database>
  readonly requirePrincipal: (request: FastifyRequest) => Promise<Principal>
  readonly contexts: Contexts
  readonly windows: Windows
  readonly internalKey: Uint8Array
  /** Shown by `/readyz`. */
  readonly isCacheUp: () => boolean
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const internalKey = new TextEncoder().encode(config.internalKey)
  const db = createDb<Database>({
    url: config.databaseUrl.href,
    schema: 'leaderboard',
    poolSize: config.poolSize,
    prepare: true,
    onIdleError: error => logger.warn({ err: error }, 'a database connection was lost'),
  })
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, logger)
  const windows = createWindows(redis, logger)
  return {
    db,
    requirePrincipal: requireUser('leaderboard', createPrincipalVerifier(internalKey)),
    contexts: createContexts(db),
    windows,
    internalKey,
    isCacheUp: () => redis?.isUp() ?? false,
    async close() {
      windows.close()
      await db.destroy()
    },
  }
}
