import { sql } from 'kysely'
import { BOARD_NAMES } from '../boards/board.ts'
import { nothingTouched, type Touched } from '../boards/touched.ts'
import type { Trx } from '../database.ts'
import { lockDriver } from './lock-driver.ts'

/** Sets a driver's name, before or after the first lap. A deleted driver gets none. */
export async function renameDriver(
  trx: Trx,
  { userId, username }: { readonly userId: string; readonly username: string },
): Promise<Touched> {
  const driver = await lockDriver(trx, userId)
  if (driver.isDeleted) return nothingTouched
  await sql`update driver set display_name = ${username} where id = ${driver.id}`.execute(trx)
  const { rows } = await sql<{ context_id: number }>`
    select context_id from standing where driver_id = ${driver.id}`.execute(trx)
  const boards = rows.flatMap(({ context_id: contextId }) => BOARD_NAMES.map(board => ({ contextId, board })))
  return { boards, catalogue: false }
}
