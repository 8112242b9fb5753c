import {
  LEVELS,
  NODE_LEVEL_BITS,
  nodeOf,
  SLOT_BITS,
  SLOTS_PER_BUCKET,
  slowestMs,
  TOP_LEVEL,
  topNode,
} from './buckets.ts'

/** SQL: the order of a board (D-8), from the first entry to the last. */
export const IN_ORDER = 'time_ms, recorded_us, lap_id'

/** SQL: the order of a board, from the last entry to the first. */
export const IN_REVERSE = 'time_ms desc, recorded_us desc, lap_id desc'

/** SQL of each part of a position on a board. */
export interface PositionSql {
  readonly board: string
  readonly timeMs: string
  readonly recordedUs: string
  readonly lapId: string
}

export interface CountOptions {
  /** Whether an entry at exactly this position counts too. */
  readonly itself: boolean
}

/**
 * SQL: the number of visible entries before a position of a board. It adds one number of one bucket a level
 * and the rows in the position's own millisecond.
 */
export function countBefore(at: PositionSql, options: CountOptions): string {
  return `(${countInMillisecond(at, options)} + (select ${countInBuckets(at)} ${fromBuckets(at)}))::int`
}

/** SQL: a whole statement that returns that count plus one as `rank`. Its plan has fewer steps. */
export function selectRank(at: PositionSql, options: CountOptions): string {
  return `select (1 + ${countInMillisecond(at, options)} + ${countInBuckets(at)})::int as rank ${fromBuckets(at)}`
}

function countInMillisecond(
  { board, timeMs, recordedUs, lapId }: PositionSql,
  { itself }: CountOptions,
): string {
  return `(select count(*) from entry
    where board_id = ${board} and is_counted and time_ms >= ${countedMs(timeMs)}
      and (time_ms, recorded_us, lap_id) ${itself ? '<=' : '<'} (${timeMs}, ${recordedUs}, ${lapId}))`
}

function countInBuckets({ timeMs }: PositionSql): string {
  // SQL arrays begin at 1, so the 0-based slot is the index of the slot before it. Index 0 returns null.
  const level = `(node >> ${NODE_LEVEL_BITS})`
  return `coalesce(sum(running[${countedMs(timeMs)} >> ${level} * ${SLOT_BITS} & ${SLOTS_PER_BUCKET - 1}]), 0)`
}

function fromBuckets({ board, timeMs }: PositionSql): string {
  const nodes = LEVELS.map(level =>
    level === TOP_LEVEL
      ? String(topNode)
      : `${nodeOf(level, 0)} + (${countedMs(timeMs)} >> ${SLOT_BITS * (level + 1)})`,
  )
  return `from bucket where board_id = ${board} and node = any(array[${nodes.join(', ')}])`
}

function countedMs(timeMs: string): string {
  return `least(${timeMs}, ${slowestMs})`
}

/** SQL: the number of visible entries of a board. */
export function countAll(board: string): string {
  return `coalesce((select running[${SLOTS_PER_BUCKET}] from bucket where board_id = ${board} and node = ${topNode}), 0)`
}

/** SQL: the time of the first entry of a board; null if it has none. */
export function firstTime(board: string): string {
  return `(select time_ms from entry where board_id = ${board} and is_counted order by ${IN_ORDER} limit 1)`
}
