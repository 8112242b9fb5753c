import type { Db } from '../database.ts'
import { type Board, boardId } from './board.ts'
import { nodeOf, SLOT_BITS, TOP_LEVEL } from './buckets.ts'
import type { OrderKey, Row } from './entry.ts'
import { JOIN_DRIVER, LISTED_COLUMNS, type ListedColumns, toRow } from './listed.ts'
import { countAll, countBefore, firstTime, IN_ORDER } from './position-sql.ts'
import { statement } from './statement.ts'

/** A part of a board, read in one snapshot. */
export interface Page {
  readonly rows: readonly Row[]
  /** Entries before the first row, or before its position if there are no rows. */
  readonly skipped: number
  readonly total: number
  readonly firstTimeMs: number | null
}

/**
 * Reads the entries after the first `skip`, equally fast at any depth. It goes down the levels to the
 * millisecond of the first entry, and follows the order from there. It skips the earlier rows of that
 * millisecond.
 */
export async function readPageAt(
  db: Db,
  board: Board,
  { skip, size }: { readonly skip: number; readonly size: number },
): Promise<Page> {
  return toPage(await selectPageAt(db, [boardId(board), skip, size]))
}

/** Reads the entries after a position, even if the position's own entry is gone. */
export async function readPageAfter(
  db: Db,
  board: Board,
  { after, size }: { readonly after: OrderKey; readonly size: number },
): Promise<Page> {
  return toPage(
    await selectPageAfter(db, [boardId(board), after.timeMs, after.recordedUs, after.lapId, size]),
  )
}

interface PageColumns extends ListedColumns {
  readonly total: number
  readonly first_time_ms: number | null
  readonly skipped: number
}

/**
 * SQL: the slot of a level that holds the entry after the first `$2`, and the number of entries before that
 * slot. It lies within the slot of the level above. `width_bucket` searches the counts by halving. The limit
 * stops the planner from computing both again for each entry.
 */
function slotContaining(level: number): string {
  const above = level === TOP_LEVEL ? null : `level${level + 1}`
  const slot = above === null ? '0' : `${above}.slot`
  const skip = above === null ? '$2::int' : `($2 - ${above}.before)`
  return `(
      select (${slot} << ${SLOT_BITS}) + width_bucket(${skip}, running) as slot,
        ${above === null ? '' : `${above}.before + `}coalesce(running[width_bucket(${skip}, running)], 0) as before
      from bucket where board_id = $1 and node = ${nodeOf(level, 0)} + ${slot}
      limit 1
    ) level${level}`
}

const selectPageAt = statement<PageColumns>(`
  select ${countAll('$1')} as total, ${firstTime('$1')} as first_time_ms, $2::int as skipped, ${LISTED_COLUMNS}
  from (select) page
  left join lateral (
    select entry.*, entry.number - ($2 - level0.before) as place
    from ${slotContaining(2)}, lateral ${slotContaining(1)}, lateral ${slotContaining(0)}, lateral (
      select *, (row_number() over (order by ${IN_ORDER}))::int as number from entry
      where board_id = $1 and is_counted and time_ms >= level0.slot
      order by ${IN_ORDER} limit $2 - level0.before + $3::int
    ) entry
  ) listed on place > 0
  ${JOIN_DRIVER}
  order by place`)

const selectPageAfter = statement<PageColumns>(`
  select ${countAll('$1')} as total, ${firstTime('$1')} as first_time_ms,
    ${countBefore(
      { board: '$1', timeMs: '$2::int', recordedUs: '$3::bigint', lapId: '$4::uuid' },
      { itself: true },
    )} as skipped, ${LISTED_COLUMNS}
  from (select) page
  left join lateral (
    select *, (row_number() over (order by ${IN_ORDER}))::int as place from entry
    where board_id = $1 and is_counted and (time_ms, recorded_us, lap_id) > ($2, $3, $4)
    order by ${IN_ORDER} limit $5::int
  ) listed on true
  ${JOIN_DRIVER}
  order by place`)

function toPage(rows: readonly PageColumns[]): Page {
  const { total, first_time_ms: firstTimeMs, skipped } = rows[0]!
  return {
    rows: rows.filter(({ place }) => place !== null).map((row, i) => toRow(row, skipped + 1 + i)),
    skipped,
    total,
    firstTimeMs,
  }
}
