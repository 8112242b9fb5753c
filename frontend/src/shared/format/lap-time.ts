import { formatLapTime } from '@lapwing/telemetry'

/** Whole milliseconds as `m:ss.mmm`. */
export function formatLapTimeMs(ms: number): string {
  return formatLapTime(ms / 1000) ?? ''
}
