import type { Lap } from '../laps/lap.ts'

/**
 * One sample for each row; all lengths are equal. Units are those of the file: SI, pedals 0..1, steering in
 * radians.
 */
export interface PreviewSeries {
  /** Degrees, WGS 84. NaN if the file has no position. */
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

/** Identifies the board of a lap, and has the texts that the page shows. */
export interface PreviewMeta {
  readonly sim: 'iracing'
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
  readonly track_label: string
  readonly car_label: string
  /** Driven length in metres; null if the file does not state it. */
  readonly track_length_m: number | null
  /** rpm; null if the file does not state it. */
  readonly red_line_rpm: number | null
  /** rpm at which the car's shift light asks for the next gear; null if the file does not state it. */
  readonly shift_rpm: number | null
  readonly sample_rate_hz: number
  /** Seconds since midnight in the simulation at the first row; null if the file does not state it. */
  readonly time_of_day_s: number | null
  readonly weather: {
    /** °C. */
    readonly AirTemp: number | null
    readonly Skies: 0 | 1 | 2 | 3 | null
  }
}

/** Fallback labels, and what the reader noticed. */
export interface PreviewDebug {
  readonly weekend: { readonly TrackDisplayName: string | null; readonly TrackName: string | null }
  readonly car: { readonly CarScreenName: string | null; readonly CarPath: string | null }
  /** Rows in the file, without a cut tail. */
  readonly rows: number
  /** True if the file ends inside a row, or has another number of rows than its header states. */
  readonly partial: boolean
  /** Names of the series without a channel in the file; they are filled with NaN (gear with 0). */
  readonly missing: readonly SeriesName[]
}

/** The preview of a session: the answer of `POST /v1/preview`, with typed arrays. */
export interface Preview extends PreviewSeries {
  readonly laps: readonly Lap[]
  /** The same laps by the rows of the file; absent if each row of the file has a sample. */
  readonly fileLaps?: readonly Lap[]
  readonly meta: PreviewMeta
  readonly debug: PreviewDebug
}

export interface PreviewOptions {
  /** Called with the share of the file read, 0..1, between blocks. */
  readonly onProgress?: (share: number) => void
  /** Stops between two blocks with the signal's reason. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown }
}
