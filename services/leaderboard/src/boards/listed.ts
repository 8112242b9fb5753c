import type { Row } from './entry.ts'

/** SQL: the columns of an entry `listed` that a page shows, with its driver's names. */
export const LISTED_COLUMNS = `listed.place, listed.time_ms, listed.recorded_us, listed.lap_id, listed.is_clean,
  driver.user_id, driver.display_name,
  not exists (select from unshared_lap where unshared_lap.lap_id = listed.lap_id) as is_shared`

/**
 * SQL: the driver of each entry `listed`. The limit stops the planner from joining all drivers, because it
 * cannot know how few entries are listed.
 */
export const JOIN_DRIVER = `left join lateral (
    select user_id, display_name from driver where driver.id = listed.driver_id limit 1
  ) driver on true`

export interface ListedColumns {
  /** Null in the one row that means "no entries". */
  readonly place: number | null
  readonly time_ms: number
  readonly recorded_us: string
  readonly lap_id: string
  readonly is_clean: boolean
  readonly user_id: string
  readonly display_name: string | null
  readonly is_shared: boolean
}

export function toRow(row: ListedColumns, rank: number): Row {
  return {
    rank,
    userId: row.user_id,
    displayName: row.display_name ?? 'Driver',
    timeMs: row.time_ms,
    recordedUs: Number(row.recorded_us),
    lapId: row.lap_id,
    isClean: row.is_clean,
    isShared: row.is_shared,
  }
}
