import { createDb } from '@lapwing/db'
import { pino } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { createRevocations } from './sessions/revocations.ts'
import { createRunWork, type Work } from './work.ts'

/** Runs one change from the command line and announces the sessions it ends, like the service. */
export async function changeAsOperator<Result>(
  config: Pick<Config, 'databaseUrl' | 'redisUrl'>,
  change: (work: Work) => Promise<Result>,
): Promise<Result> {
  const now = () => new Date()
  const db = createDb<Database>({ url: config.databaseUrl.href, schema: 'identity', poolSize: 2 })
  const logger = pino({ level: 'silent' })
  const revocations = createRevocations({ redisUrl: config.redisUrl, db, now, logger })
  try {
    return await createRunWork({ db, revocations, secondFactor: 'offered', now })(change)
  } finally {
    await revocations.close()
    await db.destroy()
  }
}
