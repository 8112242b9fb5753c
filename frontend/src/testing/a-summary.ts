import type { LapSummary, SessionSummary } from '@lapwing/telemetry'

export interface ASummary extends Partial<Omit<SessionSummary, 'laps' | 'meta'>> {
  readonly meta?: Partial<SessionSummary['meta']>
  readonly laps?: readonly Partial<LapSummary>[]
}

/** Returns the summary of a session with a clean lap of 60 s. */
export function aSummary({ meta, laps = [{}], ...rest }: ASummary = {}): SessionSummary {
  return {
    meta: {
      sim: 'iracing',
      track_slug: 'lapwing-ring',
      layout: 'short',
      car_slug: 'lapwing-gt',
      track_label: 'Lapwing Ring, Short',
      car_label: 'Lapwing GT',
      track_length_m: 1000,
      red_line_rpm: null,
      shift_rpm: null,
      sample_rate_hz: 60,
      time_of_day_s: null,
      weather: { AirTemp: null, Skies: null },
      ...meta,
    },
    startedAtMs: null,
    kinds: ['practice'],
    movingS: 60,
    setupDigest: null,
    outline: new Int16Array(0),
    partial: false,
    ...rest,
    laps: laps.map((lap, i) => ({
      lap: i + 1,
      is_completed: true,
      is_clean: true,
      reasons: [],
      time_s: 60,
      row_start: 1000 * i,
      session_num: 0,
      session_name: null,
      incidents: 0,
      drivenAtMs: null,
      ...lap,
    })),
  }
}
