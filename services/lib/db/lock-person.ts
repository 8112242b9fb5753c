import { sql, type Transaction } from 'kysely'

/**
 * Taken by every transaction that writes for a person, and by their deletion: one at a time a person, also of
 * other services that share the database, so that no write outlives the account.
 */
// biome-ignore lint/suspicious/noExplicitAny: it touches no table.
export async function lockPerson(trx: Transaction<any>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`.execute(trx)
}
