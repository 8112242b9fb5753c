import type { SeriesName } from '@lapwing/telemetry'
import type { LapTrack } from '@lapwing/telemetry/compare'
import type { LapSeries } from './lap-series.ts'

/**
 * Turns a lap over even steps of its distance into a recording of that lap alone, one row a point. Missing
 * channels are named and filled with NaN, as in a preview. `lengthM` is the length of the axis.
 */
export function trackSeries(name: string, track: LapTrack, lengthM: number): LapSeries {
  const rows = track.pct.length
  const none32 = new Float32Array(rows).fill(Number.NaN)
  const none64 = new Float64Array(rows).fill(Number.NaN)
  const channelNames = ['lat', 'lon', 'alt', 'throttle', 'brake', 'gear', 'rpm', 'speed'] as const
  const missing: SeriesName[] = channelNames.filter(name => !track[name])
  if (!track.steering) missing.push('steeringWheelAngle')
  return {
    role: 'reference',
    name,
    preview: {
      lat: track.lat ?? none64,
      lon: track.lon ?? none64,
      alt: track.alt ?? none32,
      throttle: track.throttle ?? none32,
      brake: track.brake ?? none32,
      gear: track.gear ?? new Int8Array(rows),
      rpm: track.rpm ?? none32,
      steeringWheelAngle: track.steering ?? none32,
      speed: track.speed ?? none32,
      sessionTime: track.time,
      lapDistPct: Float32Array.from(track.pct),
      lapDist: Float32Array.from(track.pct, share => share * lengthM),
      meta: { track_length_m: lengthM, sample_rate_hz: rows / track.time[rows - 1]! },
      debug: { missing },
    },
    lap: { is_completed: true, row_start: 0, row_end: rows - 1 },
  }
}
