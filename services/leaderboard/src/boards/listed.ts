import { defaultNameOf } from '@lapwing/usernames/default-name'
import type { Row, SessionKind } from './entry.ts'

/** SQL: the columns of an entry `listed` that a page shows, with its driver's names. */
export const LISTED_COLUMNS = `listed.place, listed.time_ms, listed.recorded_us, listed.lap_id, listed.is_clean,
  driver.user_id, driver.display_name,
  not exists (select from unshared_lap where unshared_lap.lap_id = listed.lap_id) as is_shared,
  fact.driven_ms, fact.session_kind, fact.air_temp_c, fact.skies`

/**
 * SQL: the driver of each entry `listed`, and the facts of its lap. The limit stops the planner from joining all
 * drivers, because it cannot know how few entries are listed.
 */
export const JOIN_DRIVER = `left join lateral (
    select user_id, display_name from driver where driver.id = listed.driver_id limit 1
  ) driver on true
  left join lateral (
    select driven_ms, session_kind, air_temp_c, skies from lap_fact where lap_fact.lap_id = listed.lap_id limit 1
  ) fact on true`

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
  readonly driven_ms: string | null
  readonly session_kind: string | null
  readonly air_temp_c: number | null
  readonly skies: number | null
}

export function toRow(row: ListedColumns, rank: number): Row {
  return {
    rank,
    userId: row.user_id,
    displayName: row.display_name ?? defaultNameOf(row.user_id),
    timeMs: row.time_ms,
    recordedUs: Number(row.recorded_us),
    lapId: row.lap_id,
    isClean: row.is_clean,
    isShared: row.is_shared,
    facts: {
      drivenMs: row.driven_ms === null ? null : Number(row.driven_ms),
      sessionKind: row.session_kind as SessionKind | null,
      airTempC: row.air_temp_c,
      skies: row.skies,
    },
  }
}
