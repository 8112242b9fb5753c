import { AppError } from '@lapwing/http'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Taken by every transaction that writes for a person, and by the deletion itself: one at a time a
 * person, so that a write under way cannot outlive the account.
 */
export async function lockPerson(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`.execute(trx)
}

export async function refuseDeleted(db: Kysely<Database>, userId: string): Promise<void> {
  const row = await db
    .selectFrom('deleted_account')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row !== undefined) throw new AppError('account.deleted')
}
