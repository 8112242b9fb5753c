import { sql } from 'kysely'
import { lockBoardsExclusively } from '../boards/lock-boards.ts'
import { replaceEntries } from '../boards/replace-entries.ts'
import { entriesOf, entriesOfLap, hiddenAmong, type RankedEntry } from '../boards/stored-entries.ts'
import type { Touched } from '../boards/touched.ts'
import type { Db, Trx } from '../database.ts'
import { lockDriver } from '../drivers/lock-driver.ts'

/** Hides a lap from the boards, even before it is on any. Idempotent. */
export function hideLap(db: Db, lapId: string): Promise<Touched> {
  return moderate(db, async trx => {
    await sql`insert into hidden_lap (lap_id) values (${lapId}) on conflict do nothing`.execute(trx)
    return entriesOfLap(trx, lapId)
  })
}

/** Shows a hidden lap again, if it is still its driver's best. */
export function restoreLap(db: Db, lapId: string): Promise<Touched> {
  return moderate(db, async trx => {
    await sql`delete from hidden_lap where lap_id = ${lapId}`.execute(trx)
    return entriesOfLap(trx, lapId)
  })
}

/** Hides all present and future laps of a driver from the boards. Idempotent. */
export function hideDriver(db: Db, userId: string): Promise<Touched> {
  return moderate(db, trx => setHidden(trx, userId, true))
}

/** Shows a driver's laps again, except laps that are hidden themselves. */
export function restoreDriver(db: Db, userId: string): Promise<Touched> {
  return moderate(db, trx => setHidden(trx, userId, false))
}

/** Returns whether a moderator hides the lap or its driver. The lap need not be on a board. */
export async function isHidden(
  db: Db,
  { lapId, userId }: { readonly lapId: string; readonly userId: string },
): Promise<boolean> {
  const { rows } = await sql<{ is_hidden: boolean }>`select
    exists (select from hidden_lap where lap_id = ${lapId})
    or exists (select from driver where user_id = ${userId} and is_hidden) as is_hidden`.execute(db)
  return rows[0]!.is_hidden
}

async function setHidden(trx: Trx, userId: string, isHidden: boolean): Promise<readonly RankedEntry[]> {
  const { id } = await lockDriver(trx, userId)
  await sql`update driver set is_hidden = ${isHidden} where id = ${id}`.execute(trx)
  return entriesOf(trx, id)
}

/**
 * Makes a moderator's change with all boards locked, then updates the visibility of the entries it returns.
 */
function moderate(db: Db, change: (trx: Trx) => Promise<readonly RankedEntry[]>): Promise<Touched> {
  return db.transaction().execute(async trx => {
    await lockBoardsExclusively(trx)
    const entries = await change(trx)
    const hidden = await hiddenOf(trx, entries)
    return replaceEntries(
      trx,
      entries.map(entry => ({
        boardId: entry.boardId,
        driverId: entry.driverId,
        before: entry,
        after: { ...entry, isCounted: !hidden.drivers.has(entry.driverId) && !hidden.laps.has(entry.lapId) },
      })),
    )
  })
}

async function hiddenOf(trx: Trx, entries: readonly RankedEntry[]) {
  const { rows } = await sql<{ id: number }>`select id from driver
    where id = any(${entries.map(({ driverId }) => driverId)}::int[]) and is_hidden`.execute(trx)
  return {
    laps: await hiddenAmong(
      trx,
      entries.map(({ lapId }) => lapId),
    ),
    drivers: new Set(rows.map(({ id }) => id)),
  }
}
