import type { Lap } from '../laps/lap.ts'

export type TimedLap = Lap & { readonly time_s: number }

/** The laps by which a driver's pace is measured. */
export interface MeasuredLaps {
  readonly laps: readonly TimedLap[]
  /** Whether they are the clean laps; otherwise they are the complete ones. */
  readonly areClean: boolean
}

/** Returns the clean laps or, if there is none, the complete ones: old files cannot show that a lap is clean. */
export function measuredLaps(laps: readonly Lap[]): MeasuredLaps {
  const timed = laps.filter((lap): lap is TimedLap => lap.is_completed && lap.time_s !== null)
  const clean = timed.filter(({ is_clean }) => is_clean)
  return clean.length > 0 ? { laps: clean, areClean: true } : { laps: timed, areClean: false }
}
