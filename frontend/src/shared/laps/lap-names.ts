import type { Lap } from '@lapwing/telemetry'

type NamedLap = Pick<Lap, 'lap' | 'session_num' | 'session_name'>

/** Names laps beside the others of their file. */
export interface LapNames {
  /** Returns the name of the lap's session; null if the file has only one. */
  sessionOf(lap: NamedLap): string | null
  /** Returns "Lap 5", or "Heat 1 · Lap 5" if the file has several sessions, because their numbers repeat. */
  nameOf(lap: NamedLap): string
}

/** @param laps all laps of the file */
export function lapNames(laps: readonly NamedLap[]): LapNames {
  const hasSeveral = laps.some(({ session_num }) => session_num !== laps[0]?.session_num)
  const sessionOf = ({ session_name, session_num }: NamedLap): string | null =>
    hasSeveral ? (session_name ?? `Session ${session_num + 1}`) : null
  return {
    sessionOf,
    nameOf(lap) {
      const session = sessionOf(lap)
      return session === null ? `Lap ${lap.lap}` : `${session} · Lap ${lap.lap}`
    },
  }
}
