import type { Lap } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'

/** The completed laps of a session, the fastest first. */
export function timedLaps(laps: readonly Lap[]): readonly Lap[] {
  return laps
    .filter(isTimedLap)
    .sort((a, b) => a.time_s - b.time_s || a.lap - b.lap || a.row_start - b.row_start)
}

/** The laps of a session that one of them can be compared with: the other completed ones, the fastest first. */
export function sessionReferences(laps: readonly Lap[], lap: Lap): readonly Lap[] {
  return timedLaps(laps).filter(other => other !== lap)
}

/** The lap chosen by its first row, or the fastest where that one is not among them; undefined where there is none. */
export function chosenReference(references: readonly Lap[], rowStart: number | null): Lap | undefined {
  return references.find(lap => lap.row_start === rowStart) ?? references[0]
}
