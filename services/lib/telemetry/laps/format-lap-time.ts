import { lapTimeMs } from './lap-time-ms.ts'

/**
 * Formats seconds as `m:ss.mmm`, rounded half up; minutes continue past 59. Null for null and for negative or
 * non-finite values.
 */
export function formatLapTime(timeS: number | null): string | null {
  if (timeS === null || !Number.isFinite(timeS) || timeS < 0) return null
  const ms = lapTimeMs(timeS)
  const minutes = Math.floor(ms / 60_000)
  const seconds = String(Math.floor(ms / 1000) % 60).padStart(2, '0')
  return `${minutes}:${seconds}.${String(ms % 1000).padStart(3, '0')}`
}
