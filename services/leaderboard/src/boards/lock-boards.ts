import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Locks all boards in shared mode, as the first step of a transaction that changes one driver's entries. Such
 * transactions run at the same time.
 */
export async function lockBoardsShared(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('leaderboard boards'))`.execute(trx)
}

/** Locks all boards exclusively, for a moderator's change. It then sees every standing that began before it. */
export async function lockBoardsExclusively(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('leaderboard boards'))`.execute(trx)
}
