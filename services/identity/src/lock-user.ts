import { createDb } from '@lapwing/db'
import { pino } from 'pino'
import { loadConfig } from './config.ts'
import type { Database } from './database.ts'
import { createRevocations, noRevocations } from './sessions/revocations.ts'
import { lockUser } from './users/lock-user.ts'
import { createRunWork } from './work.ts'

/** `node src/lock-user.ts <user id> [--unlock]`: keeps a person out, ending their sessions, or lets them in again. */
const [userId, flag] = process.argv.slice(2)
if (userId === undefined || (flag !== undefined && flag !== '--unlock')) {
  console.error('node src/lock-user.ts <user id> [--unlock]')
  process.exit(2)
}
const config = loadConfig(process.env)
const now = () => new Date()
const db = createDb<Database>({ url: config.databaseUrl.href, schema: 'identity', poolSize: 2 })
const revocations =
  config.redisUrl === ''
    ? noRevocations
    : createRevocations({ redisUrl: config.redisUrl, db, now, logger: pino({ level: 'silent' }) })
try {
  const change = createRunWork({ db, revocations, now })
  const found = await change(work => lockUser(work, userId, flag === undefined))
  console.log(
    found
      ? `identity: ${userId} is ${flag === undefined ? 'locked' : 'unlocked'}`
      : 'identity: no such person',
  )
  process.exitCode = found ? 0 : 1
} finally {
  await revocations.close()
  await db.destroy()
}
