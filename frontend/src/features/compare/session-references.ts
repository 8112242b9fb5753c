import type { Lap } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'

/** Returns the complete laps of a session, the fastest first. */
export function timedLaps(laps: readonly Lap[]): readonly Lap[] {
  return laps
    .filter(isTimedLap)
    .sort((a, b) => a.time_s - b.time_s || a.lap - b.lap || a.row_start - b.row_start)
}

/** Returns the session's other complete laps, the fastest first. They can be the reference of `lap`. */
export function sessionReferences(laps: readonly Lap[], lap: Lap): readonly Lap[] {
  return timedLaps(laps).filter(other => other !== lap)
}

/** Returns the lap with that first row, else the fastest; undefined without references. */
export function chosenReference(
  references: readonly Lap[],
  rowStart: number | 'ideal' | null,
): Lap | undefined {
  return references.find(lap => lap.row_start === rowStart) ?? references[0]
}
