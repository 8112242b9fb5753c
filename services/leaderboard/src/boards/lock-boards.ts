import { sql } from 'kysely'
import type { Trx } from '../database.ts'

/**
 * Locks all boards in shared mode, as the first step of a transaction that changes one driver's entries. Such
 * transactions run at the same time.
 */
export async function lockBoardsShared(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('leaderboard boards'))`.execute(trx)
}

/** Locks all boards exclusively, for a moderator's change. It then sees every standing that began before it. */
export async function lockBoardsExclusively(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('leaderboard boards'))`.execute(trx)
}
