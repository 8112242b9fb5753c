import type { SeriesName } from '@lapwing/telemetry'
import type { LapTrack } from '@lapwing/telemetry/compare'
import type { LapSeries } from './lap-series.ts'

/**
 * Turns a lap over even steps of its distance into a recording of that lap alone, one row a point. Missing
 * channels are named and filled with NaN, as in a preview. `lengthM` is the length of the axis.
 */
export function trackSeries(name: string, track: LapTrack, lengthM: number): LapSeries {
  const rows = track.pct.length
  const none32 = () => new Float32Array(rows).fill(Number.NaN)
  const none64 = () => new Float64Array(rows).fill(Number.NaN)
  const channels = {
    lat: track.lat,
    lon: track.lon,
    alt: track.alt,
    throttle: track.throttle,
    brake: track.brake,
    gear: track.gear,
    rpm: track.rpm,
    steeringWheelAngle: track.steering,
    speed: track.speed,
  } satisfies Partial<Record<SeriesName, unknown>>
  const missing = (Object.keys(channels) as (keyof typeof channels)[]).filter(key => !channels[key])
  return {
    role: 'reference',
    name,
    preview: {
      lat: channels.lat ?? none64(),
      lon: channels.lon ?? none64(),
      alt: channels.alt ?? none32(),
      throttle: channels.throttle ?? none32(),
      brake: channels.brake ?? none32(),
      gear: channels.gear ?? new Int8Array(rows),
      rpm: channels.rpm ?? none32(),
      steeringWheelAngle: channels.steeringWheelAngle ?? none32(),
      speed: channels.speed ?? none32(),
      sessionTime: track.time,
      lapDistPct: Float32Array.from(track.pct),
      lapDist: Float32Array.from(track.pct, share => share * lengthM),
      meta: { track_length_m: lengthM, sample_rate_hz: rows / track.time[rows - 1]! },
      debug: { missing },
    },
    lap: { is_completed: true, row_start: 0, row_end: rows - 1 },
  }
}
