import { setTimeout as delay } from 'node:timers/promises'
import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { createDb } from '@lapwing/db'
import { openRedis } from '@lapwing/redis'
import { pino } from 'pino'
import { loadStoreConfig } from './config.ts'
import type { Database } from './database.ts'
import type { Deps } from './deps.ts'
import { createWindows } from './windows/windows.ts'

/** Runs an operator command with the stores of the environment. */
export function runWithStores(command: (stores: Stores) => Promise<number>): Promise<void> {
  return runOperatorCommand(async () => {
    const config = loadStoreConfig(process.env)
    // The long time-out is for a recount, which reads whole boards.
    const db = createDb<Database>({
      url: config.databaseUrl.href,
      schema: 'leaderboard',
      poolSize: 1,
      statementWithinMs: 600_000,
    })
    const silent = pino({ level: 'silent' })
    const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, silent)
    const windows = createWindows(redis, silent)
    try {
      // If Redis stays down, go on: its windows expire within 30 s.
      for (let waited = 0; redis !== null && !redis.isUp() && waited < 2_000; waited += 20) await delay(20)
      return await command({ db, windows })
    } finally {
      windows.close()
      await db.destroy()
    }
  })
}

type Stores = Pick<Deps, 'db' | 'windows'>
