import { sql } from 'kysely'
import type { Trx } from '../database.ts'

export interface Driver {
  readonly id: number
  readonly isHidden: boolean
  readonly isDeleted: boolean
}

/**
 * Locks the driver's row until the transaction ends, and creates the row if there is none. Two transactions
 * can then never change the entries of one driver at the same time.
 */
export async function lockDriver(trx: Trx, userId: string): Promise<Driver> {
  const known = await lockKnown(trx, userId)
  if (known !== null) return known
  // If two transactions create the row, the second waits here for the first, and both find it.
  await sql`insert into driver (user_id) values (${userId}) on conflict (user_id) do nothing`.execute(trx)
  const created = await lockKnown(trx, userId)
  if (created === null) throw new Error('the row of a driver vanished')
  return created
}

async function lockKnown(trx: Trx, userId: string): Promise<Driver | null> {
  const { rows } = await sql<{ id: number; is_hidden: boolean; is_deleted: boolean }>`
    select id, is_hidden, is_deleted from driver where user_id = ${userId} for update`.execute(trx)
  const row = rows[0]
  return row === undefined ? null : { id: row.id, isHidden: row.is_hidden, isDeleted: row.is_deleted }
}
