import type { Lap } from '@lapwing/telemetry'

/** How a lap is named beside the others of its file. */
export interface LapNames {
  /** Name of the lap's session, or null if the file has but one session: then it tells no laps apart. */
  sessionOf(lap: Lap): string | null
  /** "Lap 5", or "Heat 1 · Lap 5": in several sessions numbers repeat. */
  nameOf(lap: Lap): string
}

/** @param laps all laps of the file */
export function lapNames(laps: readonly Lap[]): LapNames {
  const hasSeveral = laps.some(({ session_num }) => session_num !== laps[0]?.session_num)
  const sessionOf = ({ session_name, session_num }: Lap): string | null =>
    hasSeveral ? (session_name ?? `Session ${session_num + 1}`) : null
  return {
    sessionOf,
    nameOf(lap) {
      const session = sessionOf(lap)
      return session === null ? `Lap ${lap.lap}` : `${session} · Lap ${lap.lap}`
    },
  }
}
