import type { Lap, LapReason } from '../laps/lap.ts'

/** °C by which the track may be warmer or colder than on the fastest lap. */
export const MAX_TRACK_TEMP_C = 2
/** Laps that take part, the fastest ones: a stint of two hours. */
export const MAX_IDEAL_LAPS = 60

/**
 * Groups clean laps whose parts may join. They are of one stint, in which nobody can change the set-up. The track is as
 * warm and as wet as on the group's fastest lap, if the file states that. Each group begins with its fastest lap.
 * Groups of a single lap are left out.
 */
export function sameConditions(laps: readonly Lap[]): readonly (readonly Lap[])[] {
  return stints(laps)
    .map(stint => {
      const clean = stint
        .filter(({ is_clean, time_s }) => is_clean && time_s !== null)
        .sort((a, b) => a.time_s! - b.time_s! || a.row_start - b.row_start)
      return clean.filter(lap => isAlike(lap, clean[0]!)).slice(0, MAX_IDEAL_LAPS)
    })
    .filter(({ length }) => length > 1)
}

function isAlike({ figures: own }: Lap, { figures: its }: Lap): boolean {
  if ((own?.track_wetness ?? null) !== (its?.track_wetness ?? null)) return false
  const [ownC, itsC] = [own?.track_temp_c ?? null, its?.track_temp_c ?? null]
  return ownC === null || itsC === null || Math.abs(ownC - itsC) <= MAX_TRACK_TEMP_C
}

/** Laps with such a reason lie between two stints: after them the car may have another set-up. */
const BETWEEN_STINTS: ReadonlySet<LapReason> = new Set(['OUT', 'IN', 'JUMP'])

function stints(laps: readonly Lap[]): Lap[][] {
  const all: Lap[][] = []
  let last: Lap | undefined
  for (const lap of laps) {
    const isBetween = lap.reasons.some(reason => BETWEEN_STINTS.has(reason))
    const wasBetween = last === undefined || last.session_num !== lap.session_num
    if (isBetween || wasBetween) all.push([])
    if (!isBetween) all.at(-1)!.push(lap)
    last = lap
  }
  return all
}
