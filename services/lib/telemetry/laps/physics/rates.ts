import type { LapMotion } from './lap-motion.ts'

/** How much one series changes for each unit another changes, over windows of a sixth of a second. */
export interface Ratio {
  /** The median: half of the windows may be spoilt by contact, kerbs or a slide, and it still holds. */
  readonly median: number
  readonly windows: number
}

/**
 * Returns the ratio over the windows in which `of` changes by more than `least` a second, or null if
 * a series is missing or there are fewer such windows than can be trusted.
 */
export function ratioOf(
  { count, timeS, window, speedMps }: LapMotion,
  series: Float64Array | null,
  of: Float64Array | null,
  least: number,
): Ratio | null {
  if (series === null || of === null) return null
  const step = Math.max(1, Math.round(window / 3))
  const ratios = new Float64Array(Math.ceil(count / step))
  let windows = 0
  for (let a = 0; a + window < count; a += step) {
    const b = a + window
    const seconds = timeS[b]! - timeS[a]!
    if (speedMps !== null && !(speedMps[a + (window >> 1)]! > LEAST_MPS)) continue
    const change = of[b]! - of[a]!
    if (Math.abs(change) > least * seconds) ratios[windows++] = (series[b]! - series[a]!) / change
  }
  if (windows < LEAST_WINDOWS) return null
  return { median: ratios.subarray(0, windows).sort()[windows >> 1]!, windows }
}

/** Slower, a place is too coarse for a course. */
const LEAST_MPS = 8
const LEAST_WINDOWS = 40
