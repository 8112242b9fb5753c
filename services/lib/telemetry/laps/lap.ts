/** Reasons why a lap is not complete. `judge-laps.ts` describes the rule of each. */
export const INCOMPLETE_REASONS = [
  'NO_OPEN',
  'NO_CLOSE',
  'JUMP',
  'NOT_SCORED',
  'TIME_MISMATCH',
  'OUT',
  'IN',
  'GAP',
  'IMPLAUSIBLE',
] as const

/** Reasons why a complete lap is not clean. */
export const UNCLEAN_REASONS = ['OFF_TRACK', 'INCIDENT', 'CAUTION', 'GRID', 'JOKER', 'UNVERIFIABLE'] as const

export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number]
export type UncleanReason = (typeof UNCLEAN_REASONS)[number]

export type LapReason = IncompleteReason | UncleanReason

export const INCIDENT_KINDS = ['off_track', 'contact', 'loss_of_control', 'unknown'] as const

/** What happened; `unknown` if only the incident count says that something did. */
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** An incident of a lap, for display: no verdict follows from it. */
export interface LapIncident {
  readonly kind: IncidentKind
  /** First and last row, inclusive; one row if it is a moment. */
  readonly row_start: number
  readonly row_end: number
}

/** Most incidents of a lap that are listed. */
export const MAX_LAP_INCIDENTS = 100

/** Figures of a lap, for display. A figure is null, or its list empty, if the file lacks its channel. */
export interface LapFigures {
  /**
   * Seconds of each sector, rounded to milliseconds; they add up to the lap's time. Empty for a lap that is not
   * complete, or if the file does not state at least two sectors.
   */
  readonly sectors_s: readonly number[]
  readonly top_speed_mps: number | null
  /** Litres; null, too, if the tank was filled within the lap. */
  readonly fuel_used_l: number | null
  /** Mean °C at the middle of each tread: left front, right front, left rear, right rear. */
  readonly tyre_temps_c: readonly number[]
  /** Mean °C. */
  readonly track_temp_c: number | null
  /**
   * The wettest that the track was: 1 dry, 2 mostly dry, to 7 extremely wet. Absent in the answer of an older server.
   */
  readonly track_wetness?: number | null
  /** By how much the driver's incident count rose. */
  readonly incident_points: number | null
}

/** Most sectors of a lap. */
export const MAX_LAP_SECTORS = 64

/** One lap segment of a file, timed and judged. Field names are those of the preview answer. */
export interface Lap {
  /** The simulator's own number (channel `Lap`). A reset repeats a number: two laps, one number. */
  readonly lap: number
  /** Both lines were crossed, and there is no reason of the first group. */
  readonly is_completed: boolean
  /** Complete and without any reason. */
  readonly is_clean: boolean
  /** In the order of the types above, each at most once. Empty means clean. */
  readonly reasons: readonly LapReason[]
  /**
   * Seconds: official if the simulator scored the lap in the file, else interpolated; null if neither exists.
   */
  readonly time_s: number | null
  /** `m:ss.mmm` of `time_s`, rounded half up to the millisecond; null if `time_s` is null. */
  readonly time_fmt: string | null
  readonly time_source: 'official' | 'interpolated' | null
  /** First row of the lap. */
  readonly row_start: number
  /** Last row of the lap, inclusive. */
  readonly row_end: number
  /** In driving order; at most `MAX_LAP_INCIDENTS`. */
  readonly incidents: readonly LapIncident[]
  /** `SessionNum` of its rows. */
  readonly session_num: number
  /** Name of that session, such as `Practice` or `Heat 1`; null if the file does not state it. */
  readonly session_name: string | null
  /** Absent if only the verdict was asked for, or in the answer of an older server. */
  readonly figures?: LapFigures
}
