import { jefferson } from './a-board.ts'
import type { FakeMyLap } from './fake-boards.ts'

/** Returns the driver's saved lap number `number`. */
export function aSavedLap(number: number, change: Partial<FakeMyLap> = {}): FakeMyLap {
  return {
    lap_id: `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    ingest_id: '20000000-0000-4000-8000-000000000001',
    lap: number,
    recorded_at: '2026-03-01T12:00:00.000Z',
    driven_at: '2026-02-28T19:30:00.000Z',
    session_kind: 'practice',
    air_temp_c: 21.5,
    skies: 1,
    time_ms: 51_088,
    time_fmt: '0:51.088',
    time_source: 'official',
    is_completed: true,
    is_clean: true,
    reasons: [],
    combination: jefferson,
    on_board: [],
    review: null,
    reference_allowed: true,
    has_reference: true,
    ...change,
  }
}
