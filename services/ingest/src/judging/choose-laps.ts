import type { JudgedLap } from './judged-file.ts'

/**
 * Chooses the laps of a file to store, in the order of the file: the fastest complete ones and some
 * incomplete ones. Laps that count come before laps that do not. The fastest clean lap is always included,
 * since it has a board of its own.
 */
export function chooseLaps<Lap extends JudgedLap>(
  laps: readonly Lap[],
): { readonly kept: readonly Lap[]; readonly leftOut: number } {
  const complete = laps.filter(lap => lap.isCompleted)
  const fastest = complete.toSorted(
    (a, b) => Number(b.counts) - Number(a.counts) || (a.timeMs ?? Infinity) - (b.timeMs ?? Infinity) || 0,
  )
  const chosen = new Set(fastest.slice(0, MOST_COMPLETE))
  const clean = fastest.find(lap => lap.isClean && lap.counts)
  if (clean !== undefined && !chosen.has(clean)) {
    chosen.delete(fastest[MOST_COMPLETE - 1]!)
    chosen.add(clean)
  }
  let incomplete = 0
  const kept = laps.filter(lap => (lap.isCompleted ? chosen.has(lap) : ++incomplete <= MOST_INCOMPLETE))
  return { kept, leftOut: complete.length - chosen.size }
}

export const MOST_COMPLETE = 2_000

/** Ten times the laps of a day of racing, so that a forged file of a megabyte cannot store thousands. */
const MOST_INCOMPLETE = 500
