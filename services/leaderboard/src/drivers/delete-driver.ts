import { sql } from 'kysely'
import { lockBoardsShared } from '../boards/lock-boards.ts'
import { replaceEntries } from '../boards/replace-entries.ts'
import { entriesOf } from '../boards/stored-entries.ts'
import type { Touched } from '../boards/touched.ts'
import type { Trx } from '../database.ts'
import { lockDriver } from './lock-driver.ts'

/** Removes a driver from all boards permanently. A standing that arrives later changes nothing. */
export async function deleteDriver(trx: Trx, { userId }: { readonly userId: string }): Promise<Touched> {
  await lockBoardsShared(trx)
  const { id } = await lockDriver(trx, userId)
  await sql`update driver set is_deleted = true, display_name = null where id = ${id}`.execute(trx)
  const entries = await entriesOf(trx, id)
  await sql`delete from standing where driver_id = ${id}`.execute(trx)
  const laps = entries.map(entry => entry.lapId)
  await sql`delete from lap_fact where lap_id = any(${laps}::uuid[])`.execute(trx)
  await sql`delete from lap_report where reporter_id = ${userId} or user_id = ${userId}`.execute(trx)
  return replaceEntries(
    trx,
    entries.map(entry => ({ boardId: entry.boardId, driverId: id, before: entry, after: null })),
  )
}
