import { formatSpeed } from '#shared/format/speed.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import type { LapSeries, Recording } from './lap-series.ts'

/** Describes a sample in words, each with its unit; empty if the file does not hold it. */
export function describeSample(preview: Recording, lap: LapSeries['lap'], row: number, unit: SpeedUnit) {
  const share = preview.lapDistPct[row]!
  const time = preview.sessionTime[row]! - preview.sessionTime[lap.row_start]!
  const speed = preview.speed[row]!
  return {
    /** "31.7 % of lap" */
    share: Number.isFinite(share) ? `${formatPercent(share)} of lap` : '',
    /** Time since the start of the lap: "0:16.3". */
    time: Number.isFinite(time) && time >= 0 ? formatClock(time) : '',
    /** "112 km/h" */
    speed: Number.isFinite(speed) ? `${formatSpeed(speed, unit)} ${unit}` : '',
  }
}

/** Formats a share: "31.7 %". */
export function formatPercent(share: number): string {
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)} %`
}

/** Formats seconds: "1:05.2". Cuts instead of rounding, as a running clock does. */
export function formatClock(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6)
  const minutes = Math.floor(tenths / 600)
  const rest = ((tenths - 600 * minutes) / 10).toFixed(1).padStart(4, '0')
  return `${minutes}:${rest}`
}

/** Formats a gear: 0 is N, negative is R (spec 000, 9). */
export function formatGear(gear: number): string {
  if (gear < 0) return 'R'
  return gear === 0 ? 'N' : gear.toString()
}

/** Formats a whole number with its sign: "+10", "−4", "0". */
export function formatSigned(value: number): string {
  const whole = Math.round(value)
  if (whole === 0) return '0'
  return whole > 0 ? `+${whole}` : `−${-whole}`
}
