import type { LapTrack } from './lap-track.ts'

/** Names of the series of a track. */
export type TrackSeries = Exclude<keyof LapTrack, 'lengthM' | 'timeMs' | 'incidents'>

/** Every series a track can have, in the order of the message, with the one type of each. */
export const TRACK_SERIES = {
  pct: Float64Array,
  time: Float64Array,
  throttle: Float32Array,
  brake: Float32Array,
  steering: Float32Array,
  gear: Int8Array,
  rpm: Float32Array,
  speed: Float32Array,
  lat: Float64Array,
  lon: Float64Array,
  alt: Float32Array,
} as const satisfies Readonly<Record<TrackSeries, unknown>>

export const TRACK_SERIES_NAMES = Object.keys(TRACK_SERIES) as TrackSeries[]
