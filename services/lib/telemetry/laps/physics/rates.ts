import type { LapMotion } from './lap-motion.ts'

/**
 * Returns how much one series changes for each unit of change of another. It is the median over windows of
 * two nodes in which `of` changes by more than `least` a second. The median holds even if contact, kerbs or a
 * slide spoil nearly half of the windows. Returns null if a series is missing or there are too few such
 * windows.
 */
export function ratioOf(
  { count, timeS, speedMps }: LapMotion,
  series: Float64Array | null,
  of: Float64Array | null,
  least: number,
): number | null {
  if (series === null || of === null) return null
  const ratios = new Float64Array(count)
  let windows = 0
  for (let b = WINDOW; b < count; b++) {
    const a = b - WINDOW
    if (speedMps !== null && !(speedMps[b - 1]! > MIN_MPS)) continue
    const change = of[b]! - of[a]!
    if (Math.abs(change) > least * (timeS[b]! - timeS[a]!))
      ratios[windows++] = (series[b]! - series[a]!) / change
  }
  return windows < MIN_WINDOWS ? null : ratios.subarray(0, windows).sort()[windows >> 1]!
}

const WINDOW = 2
/** At a lower speed, positions are too coarse for a course. */
const MIN_MPS = 8
const MIN_WINDOWS = 20
