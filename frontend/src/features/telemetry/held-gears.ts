import type { Recording } from './lap-series.ts'

/** Seconds. A shift takes less; a longer neutral is the driver's. */
const MAX_SHIFT_S = 0.3

const held = new WeakMap<Int8Array, Int8Array>()

/**
 * Returns the gears as a driver chose them, one a row: the neutral of a shift counts as the gear before it. The
 * recording keeps its own values. Computed once for a recording.
 */
export function heldGears(recording: Pick<Recording, 'gear' | 'sessionTime' | 'meta'>): Int8Array {
  const known = held.get(recording.gear)
  if (known) return known
  const gears = holdShifts(recording)
  held.set(recording.gear, gears)
  return gears
}

function holdShifts({
  gear,
  sessionTime,
  meta,
}: Pick<Recording, 'gear' | 'sessionTime' | 'meta'>): Int8Array {
  const gears = gear.slice()
  const secondsFrom = (from: number, to: number): number => {
    const passed = sessionTime[to]! - sessionTime[from]!
    return Number.isFinite(passed) ? passed : (to - from) / meta.sample_rate_hz
  }
  for (let start = 1; start < gear.length; start++) {
    if (gear[start] !== 0 || gear[start - 1] === 0) continue
    let end = start
    while (end < gear.length && gear[end] === 0) end++
    const passed = end < gear.length ? secondsFrom(start, end) : Number.POSITIVE_INFINITY
    // Time runs backwards between two sessions of a file.
    if (passed >= 0 && passed < MAX_SHIFT_S) gears.fill(gear[start - 1]!, start, end)
    start = end
  }
  return gears
}
