import type { Lap, PreviewDebug, PreviewMeta, PreviewSeries } from '@lapwing/telemetry'

export type LapRole = 'lap' | 'reference'

/**
 * What the views read of the recording a lap is in. A `Preview` is one; `track-series.ts` makes one of
 * a lap that came without its session.
 */
export interface Recording extends PreviewSeries {
  readonly meta: Pick<PreviewMeta, 'track_length_m' | 'sample_rate_hz'>
  readonly debug: Pick<PreviewDebug, 'missing'>
}

/** One lap as outline, traces and gauges draw it. Views take a list of them; the lap of role `lap` has the cursor. */
export interface LapSeries {
  readonly role: LapRole
  /** "Lap 3", or the driver's name. */
  readonly name: string
  readonly preview: Recording
  readonly lap: Pick<Lap, 'is_completed' | 'row_start' | 'row_end'>
}

/** The lap that has the cursor. */
export function mainSeries(preview: Recording, lap: Lap): LapSeries {
  return { role: 'lap', name: `Lap ${lap.lap}`, preview, lap }
}

/** The cursor's row where it lies in the lap, else null: a cursor of another lap is no cursor here. */
export function rowInLap(row: number | null, lap: Pick<Lap, 'row_start' | 'row_end'>): number | null {
  return row !== null && row >= lap.row_start && row <= lap.row_end ? row : null
}
