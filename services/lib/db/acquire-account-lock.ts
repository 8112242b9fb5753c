import { sql, type Transaction } from 'kysely'

/**
 * Locks an account for the rest of the transaction. Every transaction that writes for an account takes this
 * lock, and so does its deletion, also in other services that share the database. So no write outlives the
 * account.
 */
// biome-ignore lint/suspicious/noExplicitAny: it uses no table.
export async function acquireAccountLock(trx: Transaction<any>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`.execute(trx)
}
