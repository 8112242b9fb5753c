import type { Lap } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { mainReason, reasonWords } from '#shared/laps/reason-words.ts'

/** Sorts completed laps first, then by time, lap number and driven order. */
export function orderLaps(laps: readonly Lap[]): Lap[] {
  return [...laps].sort(
    (a, b) =>
      Number(b.is_completed) - Number(a.is_completed) ||
      compareTimes(a.time_s, b.time_s) ||
      a.lap - b.lap ||
      a.row_start - b.row_start,
  )
}

/** Returns the laps that the list shows, in order. */
export function visibleLaps(laps: readonly Lap[], validOnly: boolean): Lap[] {
  return orderLaps(validOnly ? laps.filter(lap => lap.is_completed) : laps)
}

/** Returns the fastest completed lap, or the first lap of the file if none is complete. */
export function defaultLap(laps: readonly Lap[]): Lap | undefined {
  const [fastest] = orderLaps(laps.filter(isTimedLap))
  return fastest ?? laps[0]
}

/** A day of driving has fewer laps. A list of more would take the page too long to draw. */
export const MOST_LAPS = 500

/** Returns the laps, and behind them the selected one if it is none of them. */
export function withSelected(laps: readonly Lap[], selected: Lap | undefined): readonly Lap[] {
  return selected === undefined || laps.includes(selected) ? laps : [...laps, selected]
}

/** Finds a lap by its first row. Returns the first visible lap if that row is null or not visible. */
export function selectedLap(visible: readonly Lap[], rowStart: number | null): Lap | undefined {
  return visible.find(lap => lap.row_start === rowStart) ?? visible[0]
}

/** Returns "2 partial laps hidden: out lap, unfinished"; null if no lap is hidden. */
export function hiddenLapsText(laps: readonly Lap[]): string | null {
  const partial = laps.filter(lap => !lap.is_completed)
  if (partial.length === 0) return null
  return `${partial.length} partial ${partial.length === 1 ? 'lap' : 'laps'} hidden: ${whyPartial(partial)}`
}

/** Names the main reason of each lap. Each reason comes once, with a count if several laps share it. */
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

/** Compares two times; laps without a time come last. */
function compareTimes(a: number | null, b: number | null): number {
  const first = a ?? Number.POSITIVE_INFINITY
  const second = b ?? Number.POSITIVE_INFINITY
  return first < second ? -1 : first > second ? 1 : 0
}
