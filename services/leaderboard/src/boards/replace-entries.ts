import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import { boardOf } from './board.ts'
import { bucketMoves, type EntryChange, SLOTS_PER_BUCKET, topNode } from './buckets.ts'
import type { StoredEntry } from './entry.ts'
import type { Touched } from './touched.ts'

/**
 * Changes entries. Every change goes through here: a lap added, removed, hidden or restored, a driver
 * deleted. The entries and their counts change together, so that ranks are always exact.
 *
 * The calling transaction must lock each driver (`lock-driver.ts`) before it reads `before`.
 */
export async function replaceEntries(trx: Trx, changes: readonly EntryChange[]): Promise<Touched> {
  const effective = changes.filter(({ before, after }) => !isSame(before, after))
  await removeEntries(
    trx,
    effective.filter(({ after }) => after === null),
  )
  await writeEntries(
    trx,
    effective.filter(({ after }) => after !== null),
  )
  const boards = [...new Set(effective.map(change => change.boardId))].map(boardOf)
  return { boards, catalogue: await moveBuckets(trx, effective) }
}

function isSame(a: StoredEntry | null, b: StoredEntry | null): boolean {
  if (a === null || b === null) return a === b
  return COMPARED.every(key => a[key] === b[key])
}

/** Every field of an entry. The type rejects a list that lacks one. */
const COMPARED = Object.keys({
  timeMs: true,
  recordedUs: true,
  lapId: true,
  isClean: true,
  isCounted: true,
} satisfies Readonly<Record<keyof StoredEntry, true>>) as (keyof StoredEntry)[]

async function removeEntries(trx: Trx, changes: readonly EntryChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`delete from entry
    using unnest(${column(changes, 'boardId')}::int[], ${column(changes, 'driverId')}::int[]) as gone (board_id, driver_id)
    where entry.board_id = gone.board_id and entry.driver_id = gone.driver_id`.execute(trx)
}

/** Inserts or replaces entries. A better lap replaces the whole row, never single columns (D-8). */
async function writeEntries(trx: Trx, changes: readonly EntryChange[]): Promise<void> {
  if (changes.length === 0) return
  const entries = changes.map(({ after }) => after!)
  await sql`insert into entry (board_id, driver_id, time_ms, recorded_us, lap_id, is_clean, is_counted)
    select * from unnest(
      ${column(changes, 'boardId')}::int[], ${column(changes, 'driverId')}::int[],
      ${column(entries, 'timeMs')}::int[], ${column(entries, 'recordedUs')}::bigint[],
      ${column(entries, 'lapId')}::uuid[], ${column(entries, 'isClean')}::boolean[],
      ${column(entries, 'isCounted')}::boolean[])
    on conflict (board_id, driver_id) do update set
      time_ms = excluded.time_ms, recorded_us = excluded.recorded_us, lap_id = excluded.lap_id,
      is_clean = excluded.is_clean, is_counted = excluded.is_counted`.execute(trx)
}

/** Updates the counts. Returns whether a board got its first entry or lost its last. */
async function moveBuckets(trx: Trx, changes: readonly EntryChange[]): Promise<boolean> {
  const moves = bucketMoves(changes)
  if (moves.length === 0) return false
  // `order by place` locks the rows in the order of `moves`. Text, because Postgres would merge nested
  // arrays.
  const { rows } = await sql<{ board_id: number; node: number; entries: number }>`
    insert into bucket (board_id, node, running)
    select board_id, node, running::int[] from unnest(
      ${column(moves, 'boardId')}::int[], ${column(moves, 'node')}::int[],
      ${moves.map(({ running }) => `{${running}}`)}::text[])
      with ordinality as move (board_id, node, running, place)
    order by place
    on conflict (board_id, node) do update set running = array(
      select count + more from unnest(bucket.running, excluded.running) with ordinality as sums (count, more, place)
      order by place)
    returning board_id, node, running[${sql.lit(SLOTS_PER_BUCKET)}] as entries`.execute(trx)
  return rows.some(({ board_id, node, entries }) => {
    if (node !== topNode) return false
    const more = moves.find(move => move.boardId === board_id && move.node === node)!.running.at(-1)!
    return more !== 0 && (entries === 0 || entries === more)
  })
}

function column<Item, Key extends keyof Item>(items: readonly Item[], key: Key): Item[Key][] {
  return items.map(item => item[key])
}
