import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Combination } from '#shared/boards/combination.ts'
import type { FakeEntry } from './fake-boards.ts'

/** Example drivers of a board, the fastest first. */
export const drivers = [
  'slipstream',
  'kerbside_kate',
  'trailbrake',
  'late_braker',
  'dirtyair',
  'boxboxbox',
  'sector3',
  'greenflag',
  'coldtyres',
  'pitwallpete',
] as const

export const jefferson: Combination = {
  sim: 'iracing',
  track_slug: 'summit-point',
  layout: 'jefferson',
  car_slug: 'ray-ff1600',
  track_label: 'Summit Point, Jefferson',
  car_label: 'Ray FF1600',
}

/** Returns `count` drivers, each some milliseconds slower than the one before. */
export function someEntries(count: number, { firstMs = 50_592, stepMs = 7, every = 3 } = {}): FakeEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    userId: `user-test-${index + 1}`,
    name: drivers[index] ?? `driver_${index + 1}`,
    timeMs: firstMs + stepMs * index,
    isClean: index % every !== 0,
  }))
}

/** Returns a row in the service's form. */
export function aRow(rank: number, change: Partial<BoardRow> = {}): BoardRow {
  return {
    rank,
    user_id: `user-test-${rank}`,
    lap_id: `00000000-0000-4000-8000-${String(rank).padStart(12, '0')}`,
    display_name: drivers[rank - 1] ?? `driver_${rank}`,
    best_lap_time_ms: 50_000 + 10 * rank,
    delta_ms: rank === 1 ? null : 10 * (rank - 1),
    recorded_at: '2026-03-01T12:00:00.000Z',
    is_clean: true,
    reference_available: true,
    ...change,
  }
}
