import type { components } from '@lapwing/contracts/leaderboard'
import type { Row } from '../boards/entry.ts'
import { fromMicroseconds } from '../boards/moment.ts'

/** Lap that deltas compare with (D-9): the first of the board, or the driver's own. */
export type DeltaReference = 'p1' | 'user'

/** Converts rows to the contract's form, with the time difference of each to the reference. */
export function answerRows(
  rows: readonly Row[],
  to: {
    readonly reference: DeltaReference
    readonly firstTimeMs: number | null
    readonly userTimeMs: number | null
    readonly userId: string
  },
): components['schemas']['Row'][] {
  const referenceMs = to.reference === 'p1' ? to.firstTimeMs : to.userTimeMs
  const isReference = (row: Row) => (to.reference === 'p1' ? row.rank === 1 : row.userId === to.userId)
  return rows.map(row => ({
    rank: row.rank,
    user_id: row.userId,
    lap_id: row.lapId,
    display_name: row.displayName,
    best_lap_time_ms: row.timeMs,
    delta_ms: referenceMs === null || isReference(row) ? null : row.timeMs - referenceMs,
    recorded_at: fromMicroseconds(row.recordedUs),
    is_clean: row.isClean,
    reference_available: row.isShared,
    driven_at: row.facts.drivenMs === null ? null : new Date(row.facts.drivenMs).toISOString(),
    session_kind: row.facts.sessionKind,
    air_temp_c: row.facts.airTempC,
    skies: row.facts.skies,
  }))
}
