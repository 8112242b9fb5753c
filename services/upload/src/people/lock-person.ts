import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Taken by every transaction that makes something for a person, and by their deletion: one at a time a
 * person, so that their uploads are counted right and none outlives the account.
 */
export async function lockPerson(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`.execute(trx)
}

export async function isDeleted(db: Kysely<Database>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
