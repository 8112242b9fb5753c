import type { LapTrack } from '../compare/lap-track.ts'

/**
 * Returns true if a lap was driven at one speed, within a thousandth of its time. All such laps are equal, so
 * a copy cannot be distinguished.
 */
export function isEvenLap({ pct, time }: Pick<LapTrack, 'pct' | 'time'>): boolean {
  const lapS = time.at(-1)!
  return time.every((timeS, i) => Math.abs(timeS / lapS - pct[i]!) < EVEN)
}

/** Recorded laps are off by fifty times as much. */
const EVEN = 1e-3
