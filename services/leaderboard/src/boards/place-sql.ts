import { levels, nodeLevelBits, nodeOf, slotBits, slotsPerBucket, slowestMs, topNode } from './buckets.ts'

/** SQL: the order of a board (D-8), first to last. */
export const inOrder = 'time_ms, recorded_us, lap_id'

/** SQL: from the last to the first. */
export const inReverse = 'time_ms desc, recorded_us desc, lap_id desc'

/**
 * SQL: how many counted entries of a board stand before a position: a number of one bucket a level,
 * and the rows of its own millisecond before it.
 *
 * @param at SQL of each part of the position
 * @param itself whether an entry at the very position counts too
 */
export function countBefore(
  at: {
    readonly board: string
    readonly timeMs: string
    readonly recordedUs: string
    readonly lapId: string
  },
  { itself }: { readonly itself: boolean },
): string {
  const timeMs = `least(${at.timeMs}, ${slowestMs})`
  const nodes = levels.map(level => `${nodeOf(level, 0)} + (${timeMs} >> ${slotBits * (level + 1)})`)
  // Counts begin at 1, so the one of the slot before is where the slot itself would be from 0; none is null.
  const places = levels.map(
    level => `when ${level} then ${timeMs} >> ${slotBits * level} & ${slotsPerBucket - 1}`,
  )
  return `((select count(*) from entry
      where board_id = ${at.board} and is_counted and time_ms >= ${timeMs}
        and (time_ms, recorded_us, lap_id) ${itself ? '<=' : '<'} (${at.timeMs}, ${at.recordedUs}, ${at.lapId}))
    + (select coalesce(sum(running[case node >> ${nodeLevelBits} ${places.join(' ')} end]), 0) from bucket
      where board_id = ${at.board} and node = any(array[${nodes.join(', ')}])))::int`
}

/** SQL: how many counted entries a board has. */
export function countAll(board: string): string {
  return `coalesce((select running[${slotsPerBucket}] from bucket where board_id = ${board} and node = ${topNode}), 0)`
}

/** SQL: the time of the first entry of a board; null where it has none. */
export function firstTime(board: string): string {
  return `(select time_ms from entry where board_id = ${board} and is_counted order by ${inOrder} limit 1)`
}
