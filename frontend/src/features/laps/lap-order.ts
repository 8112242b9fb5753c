import type { Lap } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { mainReason, reasonWords } from '#shared/laps/reason-words.ts'

/** Completed first, then by time, then by lap number; a lap that was reset comes in the order driven. */
export function orderLaps(laps: readonly Lap[]): Lap[] {
  return [...laps].sort(
    (a, b) =>
      Number(b.is_completed) - Number(a.is_completed) ||
      compareTimes(a.time_s, b.time_s) ||
      a.lap - b.lap ||
      a.row_start - b.row_start,
  )
}

/** The laps in sight, in order. */
export function visibleLaps(laps: readonly Lap[], validOnly: boolean): Lap[] {
  return orderLaps(validOnly ? laps.filter(lap => lap.is_completed) : laps)
}

/** The fastest completed lap, or the first lap of the file if none is complete. */
export function defaultLap(laps: readonly Lap[]): Lap | undefined {
  const [fastest] = orderLaps(laps.filter(isTimedLap))
  return fastest ?? laps[0]
}

/** The lap chosen by its first row, or the first in sight where that one is not (any more). */
export function selectedLap(visible: readonly Lap[], rowStart: number | null): Lap | undefined {
  return visible.find(lap => lap.row_start === rowStart) ?? visible[0]
}

/** "2 partial laps hidden: out lap, unfinished"; null where nothing is hidden. */
export function hiddenLapsText(laps: readonly Lap[]): string | null {
  const partial = laps.filter(lap => !lap.is_completed)
  if (partial.length === 0) return null
  return `${partial.length} partial ${partial.length === 1 ? 'lap' : 'laps'} hidden: ${whyPartial(partial)}`
}

/** The main reason of each lap, each once, with its number where there are several. */
export function whyPartial(laps: readonly Lap[]): string {
  const counts = new Map<string, number>()
  for (const { reasons } of laps) {
    const reason = mainReason(reasons)
    if (!reason) continue
    const { short } = reasonWords[reason]
    counts.set(short, (counts.get(short) ?? 0) + 1)
  }
  return Array.from(counts, ([words, count]) => (count === 1 ? words : `${words} × ${count}`)).join(', ')
}

/** Laps without a time come last. */
function compareTimes(a: number | null, b: number | null): number {
  const first = a ?? Number.POSITIVE_INFINITY
  const second = b ?? Number.POSITIVE_INFINITY
  return first < second ? -1 : first > second ? 1 : 0
}
