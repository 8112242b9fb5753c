import { formatDay } from '#shared/laps/lap-facts.ts'
import type { MyLap } from './my-laps-api.ts'

/** Returns when a lap was driven; when it was saved, if its file has no date or it is older than such dates. */
export function momentOf({ driven_at, recorded_at }: MyLap): string {
  return driven_at ?? recorded_at
}

/** Returns the name of a saved lap beside other sessions, such as "Lap 5 · 28 Feb 2026". */
export function savedLapName(lap: MyLap): string {
  return `Lap ${lap.lap} · ${formatDay(momentOf(lap))}`
}
