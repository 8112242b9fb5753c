import type { Db } from '../database.ts'
import { type Board, boardId } from './board.ts'
import type { Row } from './entry.ts'
import { JOIN_DRIVER, LISTED_COLUMNS, type ListedColumns, toRow } from './listed.ts'
import { countAll, countBefore, firstTime, IN_ORDER, IN_REVERSE } from './position-sql.ts'
import { statement } from './statement.ts'

/** A driver's row and the rows around it, read in one snapshot. */
export interface Window {
  /** Null if the driver has no visible entry. */
  readonly me: Row | null
  /** The driver's row in the middle, or nearer to an end of the board; empty without an entry. */
  readonly rows: readonly Row[]
  readonly total: number
  readonly firstTimeMs: number | null
}

/**
 * Reads the rows around a driver.
 *
 * @param size rows at most, including the driver's own
 */
export async function readWindow(
  db: Db,
  board: Board,
  { userId, size }: { readonly userId: string; readonly size: number },
): Promise<Window> {
  const rows = await selectWindow(db, [boardId(board), userId, size - 1])
  const { total, first_time_ms: firstTimeMs, rank } = rows[0]!
  if (rank === null) return { me: null, rows: [], total, firstTimeMs }
  const around = rows.map(row => toRow(row, rank + row.place!))
  const mine = rows.findIndex(({ place }) => place === 0)
  const first = Math.max(0, Math.min(mine - (size >> 1), around.length - size))
  return { me: around[mine]!, rows: around.slice(first, first + size), total, firstTimeMs }
}

/** Finds the time of a driver's visible entry on a board; null if there is none. */
export async function findTime(db: Db, board: Board, userId: string): Promise<number | null> {
  const [found] = await selectTime(db, [boardId(board), userId])
  return found?.time_ms ?? null
}

interface WindowColumns extends ListedColumns {
  readonly total: number
  readonly first_time_ms: number | null
  /** Rank of the driver's own row, whose `place` is 0. */
  readonly rank: number | null
}

const MINE = `from driver join entry on entry.driver_id = driver.id and entry.board_id = $1::int
    where driver.user_id = $2 and entry.is_counted`

const neighbours = (direction: '<' | '>') => `select entry.* from me, lateral (
      select *, (${direction === '<' ? '-' : ''}row_number() over (order by ${direction === '<' ? IN_REVERSE : IN_ORDER}))::int as place
      from entry
      where board_id = $1 and is_counted
        and (time_ms, recorded_us, lap_id) ${direction} (me.time_ms, me.recorded_us, me.lap_id)
      order by ${direction === '<' ? IN_REVERSE : IN_ORDER} limit $3::int
    ) entry`

const selectWindow = statement<WindowColumns>(`
  with me as (select entry.* ${MINE}),
  ahead as (${neighbours('<')}),
  behind as (${neighbours('>')})
  select ${countAll('$1')} as total, ${firstTime('$1')} as first_time_ms,
    (select 1 + ${countBefore(
      { board: '$1', timeMs: 'me.time_ms', recordedUs: 'me.recorded_us', lapId: 'me.lap_id' },
      { itself: false },
    )} from me) as rank, ${LISTED_COLUMNS}
  from (select) board
  left join (
    select *, 0 as place from me union all select * from ahead union all select * from behind
  ) listed on true
  ${JOIN_DRIVER}
  order by place`)

const selectTime = statement<{ readonly time_ms: number }>(`select time_ms ${MINE}`)
