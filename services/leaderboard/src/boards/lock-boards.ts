import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Taken first by every transaction that changes entries. Those of drivers share it and run beside each
 * other. A moderator's has it alone, and so sees every standing that began before it.
 */
export async function shareBoards(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('leaderboard boards'))`.execute(trx)
}

export async function holdBoards(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('leaderboard boards'))`.execute(trx)
}
