import { formatLapTime, type LapReason } from '@lapwing/telemetry'
import { showLabels } from '@lapwing/usernames/show-labels'
import { BOARDS } from '../ingests/ingest.ts'
import type { elsewhere } from '../tracks/track-location.repository.ts'
import type { OwnLap } from './lap.repository.ts'

/**
 * Converts laps to `MyLap` of the contract. A track or car has the label of the first file that named it,
 * perhaps of another driver, so labels with a banned word are replaced.
 */
export async function toMyLaps(laps: readonly OwnLap[]) {
  const tracks = laps.map(lap => ({ label: lap.track_label, slug: lap.track_slug }))
  const cars = laps.map(lap => ({ label: lap.car_label, slug: lap.car_slug }))
  const trackLabels = await showLabels(tracks, 'Unnamed track')
  const carLabels = await showLabels(cars, 'Unnamed car')
  return laps.map((lap, index) =>
    toMyLap({ ...lap, track_label: trackLabels[index]!.label, car_label: carLabels[index]!.label }),
  )
}

function toMyLap(lap: OwnLap) {
  return {
    lap_id: lap.id,
    ingest_id: lap.ingest_id,
    lap: lap.lap_no,
    recorded_at: lap.recorded_at,
    driven_at: lap.driven_at?.toISOString() ?? null,
    session_kind: lap.session_kind,
    air_temp_c: lap.air_temp_c,
    skies: lap.skies,
    time_ms: lap.time_ms,
    time_fmt: lap.time_ms === null ? null : formatLapTime(lap.time_ms / 1000),
    time_source: lap.time_source,
    is_completed: lap.is_completed,
    is_clean: lap.is_clean,
    reasons: lap.reasons as (LapReason | typeof elsewhere)[],
    combination: {
      sim: lap.sim,
      track_slug: lap.track_slug,
      layout: lap.layout,
      car_slug: lap.car_slug,
      track_label: lap.track_label,
      car_label: lap.car_label,
    },
    on_board: BOARDS.filter(board => lap[`${board}_lap_id`] === lap.id),
    review: lap.review,
    reference_allowed: lap.reference_allowed,
    has_reference: lap.series_key !== null,
  }
}
