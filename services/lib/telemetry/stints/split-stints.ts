import type { Lap } from '../laps/lap.ts'

/**
 * Splits the laps of a file into stints, each with at least one lap. A lap from the pits begins one, as does the lap after
 * an in lap and the first lap of a simulator session.
 */
export function splitStints(laps: readonly Lap[]): readonly (readonly Lap[])[] {
  return splitBefore(laps, isStart)
}

function isStart({ reasons, session_num }: Lap, before: Lap): boolean {
  return session_num !== before.session_num || reasons.includes('OUT') || before.reasons.includes('IN')
}

/** Splits laps before each for which `isFirst` is true. */
export function splitBefore(
  laps: readonly Lap[],
  isFirst: (lap: Lap, before: Lap) => boolean,
): readonly (readonly Lap[])[] {
  const starts = laps.flatMap((lap, i) => (i === 0 || isFirst(lap, laps[i - 1]!) ? [i] : []))
  return starts.map((start, i) => laps.slice(start, starts[i + 1]))
}
