import { type RawBuilder, sql } from 'kysely'
import { BOARD_NAMES, boardId } from '../boards/board.ts'
import { LEVELS, nodeOf, SLOT_BITS, SLOTS_PER_BUCKET, slowestMs } from '../boards/buckets.ts'
import { lockBoardsExclusively } from '../boards/lock-boards.ts'
import type { Db, Trx } from '../database.ts'

/** Wrong counts of a board. A recount reads one snapshot, so a running change never shows up as drift. */
export interface Drift {
  readonly boardId: number
  /** Entries that are visible and should not be, or the other way round. */
  readonly entries: number
  /** Buckets whose counts differ from the entries. */
  readonly buckets: number
}

/** Lists the boards of all contexts. */
export async function listBoards(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from context order by id`.execute(db)
  return rows.flatMap(({ id: contextId }) => BOARD_NAMES.map(board => boardId({ contextId, board })))
}

/**
 * Counts a live board again: its buckets from the entries, and the entries' visibility from what is hidden.
 */
export async function recount(db: Db, board: number): Promise<Drift> {
  const { rows } = await sql<{ entries: number; buckets: number }>`
    with expected as materialized (${expectedBuckets(board)})
    select
      (select count(*) from entry where board_id = ${board} and is_counted <> ${shouldCount})::int as entries,
      (select count(*) from expected
        full join (select * from bucket where board_id = ${board}) found using (node)
        where coalesce(expected.running, ${zeros}) <> coalesce(found.running, ${zeros}))::int as buckets`.execute(
    db,
  )
  return { boardId: board, ...rows[0]! }
}

/** Corrects the counts of a board, with all boards locked. */
export function repair(db: Db, board: number): Promise<void> {
  return db.transaction().execute(async trx => {
    await lockBoardsExclusively(trx)
    await sql`update entry set is_counted = ${shouldCount}
      where board_id = ${board} and is_counted <> ${shouldCount}`.execute(trx)
    await writeBuckets(trx, board)
  })
}

/** Replaces the buckets of a board by those computed from its entries. */
export async function writeBuckets(trx: Trx, board: number): Promise<void> {
  await sql`delete from bucket where board_id = ${board}`.execute(trx)
  await sql`insert into bucket (board_id, node, running)
    select ${board}::int, node, running from (${expectedBuckets(board)}) expected`.execute(trx)
}

const shouldCount = sql`(
  not exists (select from hidden_lap where hidden_lap.lap_id = entry.lap_id)
  and not exists (select from driver where driver.id = entry.driver_id and (driver.is_hidden or driver.is_deleted)))`

const zeros = sql`array_fill(0, array[${sql.lit(SLOTS_PER_BUCKET)}])`

/** SQL: `node` and `running` of each bucket that a board should have. */
function expectedBuckets(board: number): RawBuilder<unknown> {
  const rows = LEVELS.map(level => sql`(${sql.lit(nodeOf(level, 0))}, ${sql.lit(SLOT_BITS * level)})`)
  return sql`
    with times as materialized (
      select least(time_ms, ${sql.lit(slowestMs)}) as time_ms, count(*) as entries
      from entry where board_id = ${board} and is_counted group by 1
    ),
    counted as materialized (
      select first_node, time_ms >> bits as place, sum(entries) as entries
      from times, (values ${sql.join(rows)}) levels (first_node, bits) group by 1, 2
    ),
    running as (
      select bucket.first_node + slot as node, number,
        sum(coalesce(entries, 0)) over (partition by bucket.first_node, slot order by number)::int as entries
      from (select distinct first_node, place >> ${sql.lit(SLOT_BITS)} as slot from counted) bucket
      cross join generate_series(0, ${sql.lit(SLOTS_PER_BUCKET - 1)}) number
      left join counted on counted.first_node = bucket.first_node
        and counted.place = (slot << ${sql.lit(SLOT_BITS)}) + number
    )
    select node, array_agg(entries order by number) as running from running group by node`
}
