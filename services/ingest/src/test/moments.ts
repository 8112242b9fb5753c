import { acquireAccountLock } from '@lapwing/db'
import { until } from '@lapwing/testing/until.ts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Creates a moment that a test waits for: code that reaches it waits there until the test lets it go. */
export function aMoment() {
  const reached = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    /** Called by the code that reaches the moment. */
    stay: () => {
      reached.resolve()
      return left.promise
    },
    letGo: left.resolve,
  }
}

/** Holds the lock of an account, so that all changes of it wait until `letGo`. */
export async function holdPerson(
  db: Kysely<Database>,
  userId: string,
): Promise<{ waitedFor: () => Promise<void>; letGo: () => Promise<void> }> {
  const held = aMoment()
  const holding = db.transaction().execute(async trx => {
    await acquireAccountLock(trx, userId)
    await held.stay()
  })
  await held.reached
  return {
    waitedFor: () =>
      until(async () => {
        const { rows } = await sql<{ waiting: number }>`select count(*)::integer as waiting from pg_locks
          where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db)
        return rows[0]!.waiting > 0
      }, `another connection to wait for the lock of ${userId}`),
    async letGo() {
      held.letGo()
      await holding
    },
  }
}

/** Holds the ingest's row. `waitedFor` resolves once another connection waits for it. */
export async function holdRow(
  db: Kysely<Database>,
  userId: string,
): Promise<{ waitedFor: Promise<void>; letGo: () => Promise<void> }> {
  const held = aMoment()
  const holding = db.transaction().execute(async trx => {
    await trx.selectFrom('ingest').select('id').where('user_id', '=', userId).forUpdate().execute()
    await held.stay()
  })
  await held.reached
  const waitedFor = until(async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*)::integer as waiting from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    return rows[0]!.waiting > 0
  }, 'another connection to wait for the row')
  return {
    waitedFor,
    async letGo() {
      held.letGo()
      await holding
    },
  }
}
