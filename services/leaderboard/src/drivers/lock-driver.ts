import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

export interface Driver {
  readonly id: number
  readonly isHidden: boolean
  readonly isDeleted: boolean
}

/**
 * The driver's row, made where there is none, locked until the transaction ends: the changes of one
 * driver follow each other, so that nobody moves an entry that another is moving.
 */
export async function lockDriver(trx: Transaction<Database>, userId: string): Promise<Driver> {
  const known = await lockKnown(trx, userId)
  if (known !== null) return known
  // Two first ones at once: one inserts, the other waits for it here, and both find the row.
  await sql`insert into driver (user_id) values (${userId}) on conflict (user_id) do nothing`.execute(trx)
  const made = await lockKnown(trx, userId)
  if (made === null) throw new Error('the row of a driver vanished')
  return made
}

async function lockKnown(trx: Transaction<Database>, userId: string): Promise<Driver | null> {
  const { rows } = await sql<{ id: number; is_hidden: boolean; is_deleted: boolean }>`
    select id, is_hidden, is_deleted from driver where user_id = ${userId} for update`.execute(trx)
  const row = rows[0]
  return row === undefined ? null : { id: row.id, isHidden: row.is_hidden, isDeleted: row.is_deleted }
}
