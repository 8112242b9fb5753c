import type { Lap } from '../laps/lap.ts'
import { splitBefore, splitStints } from '../stints/split-stints.ts'

/** °C by which the track may be warmer or colder than on the fastest lap. */
export const MAX_TRACK_TEMP_C = 2
/** Laps that take part, the fastest ones: a stint of two hours. */
export const MAX_IDEAL_LAPS = 60

/**
 * Groups clean laps whose parts may join. They are of one stint without a reset, in which nobody can change the set-up. The
 * track is as warm and as wet as on the group's fastest lap, if the file states that. Each group begins with its fastest
 * lap. Groups of a single lap are left out.
 */
export function sameConditions(laps: readonly Lap[]): readonly (readonly Lap[])[] {
  return splitStints(laps)
    .flatMap(stint => splitBefore(stint, isReset))
    .map(unbroken => {
      const clean = unbroken
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

/** A reset can lead through the garage without a recorded row in the pits. Then the car may have another set-up. */
function isReset({ reasons }: Lap): boolean {
  return reasons.includes('JUMP')
}
