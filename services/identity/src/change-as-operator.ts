import { createDb } from '@lapwing/db'
import { pino } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { createRevocations } from './sessions/revocations.ts'
import { createRunWork, type RunWork, type Work } from './work.ts'

type OperatorConfig = Pick<Config, 'databaseUrl' | 'redisUrl'>

/** Runs one change from the command line and announces the sessions it ends, like the service. */
export function changeAsOperator<Result>(
  config: OperatorConfig,
  change: (work: Work) => Promise<Result>,
): Promise<Result> {
  return changeManyAsOperator(config, runWork => runWork(change))
}

/** Does the same for a command that makes many changes, one after another. */
export async function changeManyAsOperator<Result>(
  config: OperatorConfig,
  run: (runWork: RunWork) => Promise<Result>,
): Promise<Result> {
  const now = () => new Date()
  const db = createDb<Database>({ url: config.databaseUrl.href, schema: 'identity', poolSize: 2 })
  const logger = pino({ level: 'silent' })
  const revocations = createRevocations({ redisUrl: config.redisUrl, db, now, logger })
  try {
    return await run(createRunWork({ db, revocations, secondFactor: 'offered', now }))
  } finally {
    await revocations.close()
    await db.destroy()
  }
}
