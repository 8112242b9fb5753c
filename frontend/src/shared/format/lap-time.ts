import { formatLapTime } from '@lapwing/telemetry'

/** Formats whole milliseconds as `m:ss.mmm`. */
export function formatLapTimeMs(ms: number): string {
  return formatLapTime(ms / 1000) ?? ''
}
