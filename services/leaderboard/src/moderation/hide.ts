import { type Kysely, sql, type Transaction } from 'kysely'
import { holdBoards } from '../boards/lock-boards.ts'
import { replaceEntries } from '../boards/replace-entries.ts'
import { entriesOf, entriesOfLap, hiddenAmong, type RankedEntry } from '../boards/stored-entries.ts'
import type { Touched } from '../boards/touched.ts'
import type { Database } from '../database.ts'
import { lockDriver } from '../drivers/lock-driver.ts'

/** Takes a lap off the boards, also one that is not on any yet. Repeating it changes nothing. */
export function hideLap(db: Kysely<Database>, lapId: string): Promise<Touched> {
  return alone(db, async trx => {
    await sql`insert into hidden_lap (lap_id) values (${lapId}) on conflict do nothing`.execute(trx)
    return entriesOfLap(trx, lapId)
  })
}

/** Brings it back, where it still is its driver's best. */
export function restoreLap(db: Kysely<Database>, lapId: string): Promise<Touched> {
  return alone(db, async trx => {
    await sql`delete from hidden_lap where lap_id = ${lapId}`.execute(trx)
    return entriesOfLap(trx, lapId)
  })
}

/** Takes all that a driver has or will have off the boards. Repeating it changes nothing. */
export function hideDriver(db: Kysely<Database>, userId: string): Promise<Touched> {
  return alone(db, trx => setHidden(trx, userId, true))
}

/** Brings back all that a driver has, but for laps that are hidden themselves. */
export function restoreDriver(db: Kysely<Database>, userId: string): Promise<Touched> {
  return alone(db, trx => setHidden(trx, userId, false))
}

/** Whether the lap is hidden, or all of its driver's are; it need not be on a board. */
export async function isHidden(
  db: Kysely<Database>,
  { lapId, userId }: { readonly lapId: string; readonly userId: string },
): Promise<boolean> {
  const { rows } = await sql<{ is_hidden: boolean }>`select
    exists (select from hidden_lap where lap_id = ${lapId})
    or exists (select from driver where user_id = ${userId} and is_hidden) as is_hidden`.execute(db)
  return rows[0]!.is_hidden
}

async function setHidden(
  trx: Transaction<Database>,
  userId: string,
  isHidden: boolean,
): Promise<readonly RankedEntry[]> {
  const { id } = await lockDriver(trx, userId)
  await sql`update driver set is_hidden = ${isHidden} where id = ${id}`.execute(trx)
  return entriesOf(trx, id)
}

/** Makes a moderator's change, then counts the entries it gives as what is hidden now says. */
function alone(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<readonly RankedEntry[]>,
): Promise<Touched> {
  return db.transaction().execute(async trx => {
    await holdBoards(trx)
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

async function hiddenOf(trx: Transaction<Database>, entries: readonly RankedEntry[]) {
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
