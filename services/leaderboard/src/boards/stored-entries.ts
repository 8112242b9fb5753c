import { sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { boardId } from './board.ts'
import type { StoredEntry } from './entry.ts'

/** An entry with its board and its driver. */
export interface RankedEntry extends StoredEntry {
  readonly boardId: number
  readonly driverId: number
}

/** Reads a driver's entries on the boards of a context. */
export async function entriesIn(
  trx: Transaction<Database>,
  driverId: number,
  contextId: number,
): Promise<readonly RankedEntry[]> {
  const { rows } = await sql<EntryRow>`select ${columns} from entry
    where board_id in (${boardId({ contextId, board: 'complete' })}, ${boardId({ contextId, board: 'clean' })})
      and driver_id = ${driverId}`.execute(trx)
  return rows.map(toEntry)
}

/** Reads a driver's entries on all boards. */
export async function entriesOf(
  trx: Transaction<Database>,
  driverId: number,
): Promise<readonly RankedEntry[]> {
  const { rows } = await sql<EntryRow>`select ${columns} from standing, lateral (
      select * from entry
      where entry.board_id in (standing.context_id * 2, standing.context_id * 2 + 1)
        and entry.driver_id = standing.driver_id
    ) entry
    where standing.driver_id = ${driverId}`.execute(trx)
  return rows.map(toEntry)
}

/** Reads the entries of a lap. A clean lap can be on both boards of its context. */
export async function entriesOfLap(
  trx: Transaction<Database>,
  lapId: string,
): Promise<readonly RankedEntry[]> {
  const { rows } = await sql<EntryRow>`select ${columns} from entry where lap_id = ${lapId}`.execute(trx)
  return rows.map(toEntry)
}

/** Returns those of the laps that a moderator hides. */
export async function hiddenAmong(
  trx: Transaction<Database>,
  lapIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ lap_id: string }>`
    select lap_id from hidden_lap where lap_id = any(${[...lapIds]}::uuid[])`.execute(trx)
  return new Set(rows.map(({ lap_id }) => lap_id))
}

const columns = sql`entry.board_id, entry.driver_id, entry.time_ms, entry.recorded_us, entry.lap_id,
  entry.is_clean, entry.is_counted`

interface EntryRow {
  readonly board_id: number
  readonly driver_id: number
  readonly time_ms: number
  readonly recorded_us: string
  readonly lap_id: string
  readonly is_clean: boolean
  readonly is_counted: boolean
}

function toEntry(row: EntryRow): RankedEntry {
  return {
    boardId: row.board_id,
    driverId: row.driver_id,
    timeMs: row.time_ms,
    recordedUs: Number(row.recorded_us),
    lapId: row.lap_id,
    isClean: row.is_clean,
    isCounted: row.is_counted,
  }
}
