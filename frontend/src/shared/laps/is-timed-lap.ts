import type { Lap } from '@lapwing/telemetry'

/** The specification's sentence for a file without a timed complete lap. */
export const NO_COMPLETE_LAP =
  'No complete valid lap found. Please try uploading another file with valid laps.'

/** A lap, or a summary of one, with its time in seconds. */
export type Timed<AnyLap> = AnyLap & { readonly time_s: number }

/** Returns whether a lap is complete and has a finite time. Each file needs such a lap. */
export function isTimedLap<AnyLap extends Pick<Lap, 'is_completed' | 'time_s'>>(
  lap: AnyLap,
): lap is Timed<AnyLap> {
  return lap.is_completed && lap.time_s !== null && Number.isFinite(lap.time_s)
}
