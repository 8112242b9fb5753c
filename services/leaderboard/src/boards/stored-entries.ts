import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../database.ts'
import { boardId } from './board.ts'
import type { StoredEntry } from './entry.ts'

/** An entry with its board and its driver. */
export interface RankedEntry extends StoredEntry {
  readonly boardId: number
  readonly driverId: number
}

/** Reads a driver's entries on the boards of a context. */
export function entriesIn(trx: Trx, driverId: number, contextId: number): Promise<readonly RankedEntry[]> {
  return readEntries(
    trx,
    sql`select ${columns} from entry
      where board_id in (${boardId({ contextId, board: 'complete' })}, ${boardId({ contextId, board: 'clean' })})
        and driver_id = ${driverId}`,
  )
}

/** Reads a driver's entries on all boards. */
export function entriesOf(trx: Trx, driverId: number): Promise<readonly RankedEntry[]> {
  return readEntries(
    trx,
    sql`select ${columns} from standing, lateral (
        select * from entry
        where entry.board_id in (standing.context_id * 2, standing.context_id * 2 + 1)
          and entry.driver_id = standing.driver_id
      ) entry
      where standing.driver_id = ${driverId}`,
  )
}

/** Reads the entries of a lap. A clean lap can be on both boards of its context. */
export function entriesOfLap(trx: Trx, lapId: string): Promise<readonly RankedEntry[]> {
  return readEntries(trx, sql`select ${columns} from entry where lap_id = ${lapId}`)
}

/** Returns those of the laps that a moderator hides. */
export async function hiddenAmong(trx: Trx, lapIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ lap_id: string }>`
    select lap_id from hidden_lap where lap_id = any(${[...lapIds]}::uuid[])`.execute(trx)
  return new Set(rows.map(({ lap_id }) => lap_id))
}

const columns = sql`entry.board_id as "boardId", entry.driver_id as "driverId", entry.time_ms as "timeMs",
  entry.recorded_us as "recordedUs", entry.lap_id as "lapId", entry.is_clean as "isClean",
  entry.is_counted as "isCounted"`

/** @param query selects `columns` */
async function readEntries(trx: Trx, query: RawBuilder<RankedEntry>): Promise<readonly RankedEntry[]> {
  const { rows } = await query.execute(trx)
  // `bigint` arrives as text.
  return rows.map(row => ({ ...row, recordedUs: Number(row.recordedUs) }))
}
