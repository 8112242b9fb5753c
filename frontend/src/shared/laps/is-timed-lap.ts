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

/** Returns the fastest complete lap (D-7), the first of equal ones; null without one. */
export function fastestLap<AnyLap extends Pick<Lap, 'is_completed' | 'time_s'>>(
  laps: readonly AnyLap[],
): Timed<AnyLap> | null {
  let best: Timed<AnyLap> | null = null
  for (const lap of laps) if (isTimedLap(lap) && (best === null || lap.time_s < best.time_s)) best = lap
  return best
}
