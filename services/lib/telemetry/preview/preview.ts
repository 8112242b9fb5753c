import type { Lap } from '../laps/lap.ts'

/** One sample a row each; lengths are equal. Units are the file's own: SI, pedals 0..1, steering in radians. */
export interface PreviewSeries {
  /** Degrees, WGS 84. NaN where the file has none. */
  readonly lat: Float64Array
  readonly lon: Float64Array
  /** Metres from the line along the driven lap. */
  readonly lapDist: Float32Array
  /** Share of the lap, 0..1. */
  readonly lapDistPct: Float32Array
  /** Metres above sea level. */
  readonly alt: Float32Array
  readonly throttle: Float32Array
  readonly brake: Float32Array
  /** -1 reverse, 0 neutral. */
  readonly gear: Int8Array
  readonly rpm: Float32Array
  /** Radians, positive to the left. */
  readonly steeringWheelAngle: Float32Array
  /** m/s. */
  readonly speed: Float32Array
  /** Seconds since the session began; restarts with each session. */
  readonly sessionTime: Float64Array
}

export type SeriesName = keyof PreviewSeries

/** Identifies the board a lap belongs to, and says what the page shows. */
export interface PreviewMeta {
  readonly sim: 'iracing'
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
  readonly track_label: string
  readonly car_label: string
  /** Driven length in metres, null where the file does not say. */
  readonly track_length_m: number | null
  /** rpm; null where the file does not say. */
  readonly red_line_rpm: number | null
  readonly sample_rate_hz: number
  readonly weather: {
    /** °C. */
    readonly AirTemp: number | null
    readonly Skies: 0 | 1 | 2 | 3 | null
  }
}

/** Fallback labels and what the reader noticed. */
export interface PreviewDebug {
  readonly weekend: { readonly TrackDisplayName: string | null; readonly TrackName: string | null }
  readonly car: { readonly CarScreenName: string | null; readonly CarPath: string | null }
  /** Rows in the file, after a cut tail is dropped. */
  readonly rows: number
  /** The file ends inside a record, or holds another number of rows than its header says. */
  readonly partial: boolean
  /** Names of series the file has no channel for; they are filled with NaN (gear with 0). */
  readonly missing: readonly SeriesName[]
}

/** What a driver sees of a session: the answer of `POST /v1/preview`, with its arrays as typed arrays. */
export interface Preview extends PreviewSeries {
  readonly laps: readonly Lap[]
  readonly meta: PreviewMeta
  readonly debug: PreviewDebug
}

export interface PreviewOptions {
  /** Called with the share of the file read, 0..1, between slices. */
  readonly onProgress?: (share: number) => void
  /** Stops between two slices with the signal's reason. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown }
}
