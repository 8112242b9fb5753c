import type { Lap, Preview, PreviewDebug, PreviewMeta, PreviewSeries } from '@lapwing/telemetry'
import { lapNames } from '#shared/laps/lap-names.ts'

export type LapRole = 'lap' | 'reference'

/** The part of a recording that the views read. A `Preview` is one, and so is a lap of `track-series.ts`. */
export interface Recording extends PreviewSeries {
  readonly meta: Pick<PreviewMeta, 'track_length_m' | 'sample_rate_hz'>
  readonly debug: Pick<PreviewDebug, 'missing'>
}

/** One lap for outline, traces and gauges. The one with role `lap` has the cursor. */
export interface LapSeries {
  readonly role: LapRole
  /** "Lap 3", with its session if the file has several, or the driver's name. */
  readonly name: string
  readonly preview: Recording
  readonly lap: Pick<Lap, 'is_completed' | 'row_start' | 'row_end'>
}

/** Returns the series of the lap that has the cursor. */
export function mainSeries(preview: Preview, lap: Lap): LapSeries {
  return { role: 'lap', name: lapNames(preview.laps).nameOf(lap), preview, lap }
}

/**
 * Returns true if a view stays when one lap replaces another. Complete laps of one file overlap, so the view
 * stays on the corner that the driver looks at.
 */
export function keepsView(before: LapSeries | null, next: LapSeries): boolean {
  return (
    before !== null &&
    before.preview === next.preview &&
    (before.lap === next.lap || (before.lap.is_completed && next.lap.is_completed))
  )
}

/** Returns the cursor's row if it is inside the lap; otherwise null. */
export function rowInLap(row: number | null, lap: Pick<Lap, 'row_start' | 'row_end'>): number | null {
  return row !== null && row >= lap.row_start && row <= lap.row_end ? row : null
}
