import type { Lap } from '@lapwing/telemetry'

/** The specification's sentence for a file without such a lap. */
export const NO_COMPLETE_LAP =
  'No complete valid lap found. Please try uploading another file with valid laps.'

/** A completed lap with a finite time: what the specification asks a file to have, and what can be ranked. */
export function isTimedLap(lap: Lap): lap is Lap & { readonly time_s: number } {
  return lap.is_completed && lap.time_s !== null && Number.isFinite(lap.time_s)
}
