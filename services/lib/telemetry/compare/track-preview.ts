import { formatLapTime } from '../laps/format-lap-time.ts'
import type { Lap, LapIncident, LapReason } from '../laps/lap.ts'
import { missingSeries } from '../preview/missing-series.ts'
import type { Preview, PreviewMeta, SeriesName } from '../preview/preview.ts'
import type { LapTrack } from './lap-track.ts'
import type { Reference } from './reference.ts'

/** What a stored lap's series do not say. */
export interface SavedLapFacts {
  /** The simulator's own number. */
  readonly lap: number
  readonly isClean: boolean
  readonly reasons: readonly LapReason[]
  /** Name of its session; null if it is not known. */
  readonly sessionName: string | null
  readonly weather: PreviewMeta['weather']
}

/**
 * Returns a stored lap as a session with that one lap. `lapTrack` of the result is the stored track again. A row lies
 * at each point of the track between the lines, and one row beyond each line.
 */
export function trackPreview({ facts, track }: Reference, saved: SavedLapFacts): Preview {
  const { combination } = facts
  const points = track.pct.length
  const last = points - 1
  const { lengthM } = track
  // The rows beyond the lines mirror their neighbours, so that the crossings lie at the first and the last point.
  const stepS = Math.max(track.time[1]!, SHORTEST_STEP_S)
  const sessionTime = track.time.map(seconds => seconds + stepS)
  sessionTime[0] = 0
  const totalS = track.time[last]!
  sessionTime[last] = stepS + totalS + Math.max(totalS - track.time[last - 1]!, SHORTEST_STEP_S)
  const lapDistPct = Float32Array.from(track.pct)
  lapDistPct[0] = track.pct[last - 1]!
  lapDistPct[last] = track.pct[1]!
  const float32 = (name: 'alt' | 'brake' | 'rpm' | 'speed' | 'steering' | 'throttle') =>
    mirrored(track[name]) ?? missingSeries.float32(points)
  const float64 = (name: 'lat' | 'lon') => mirrored(track[name]) ?? missingSeries.float64(points)
  return {
    lat: float64('lat'),
    lon: float64('lon'),
    lapDist:
      lengthM === null
        ? missingSeries.float32(points)
        : Float32Array.from(lapDistPct, share => share * lengthM),
    lapDistPct,
    alt: float32('alt'),
    throttle: pedal(float32('throttle')),
    brake: pedal(float32('brake')),
    gear: track.gear ?? missingSeries.int8(points),
    rpm: float32('rpm'),
    steeringWheelAngle: float32('steering'),
    speed: float32('speed'),
    sessionTime,
    laps: [lapOf({ facts, track }, saved)],
    meta: {
      ...combination,
      sim: 'iracing',
      track_length_m: lengthM,
      red_line_rpm: null,
      shift_rpm: null,
      time_of_day_s: null,
      sample_rate_hz: Math.max(1, Math.round(last / totalS)),
      weather: saved.weather,
    },
    debug: {
      weekend: { TrackDisplayName: combination.track_label, TrackName: null },
      car: { CarScreenName: combination.car_label, CarPath: null },
      rows: points,
      partial: false,
      missing: MISSING.filter(
        ([, name]) => (name === 'lapDist' ? lengthM : (track[name] ?? null)) === null,
      ).map(([name]) => name),
    },
  }
}

/** Seconds. A step of no time would move the line. */
const SHORTEST_STEP_S = 1e-4

/** Series that a track can lack, with their names there. */
const MISSING = [
  ['lat', 'lat'],
  ['lon', 'lon'],
  ['lapDist', 'lapDist'],
  ['alt', 'alt'],
  ['throttle', 'throttle'],
  ['brake', 'brake'],
  ['gear', 'gear'],
  ['rpm', 'rpm'],
  ['steeringWheelAngle', 'steering'],
  ['speed', 'speed'],
] as const satisfies readonly (readonly [SeriesName, keyof LapTrack | 'lapDist'])[]

/** Returns a copy with the values beyond the lines, on the line through both neighbours; null for null. */
function mirrored<Values extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  values: Values | undefined,
): Values | null {
  if (values === undefined) return null
  const copy = values.slice() as Values
  const last = copy.length - 1
  copy[0] = 2 * values[0]! - values[1]!
  copy[last] = 2 * values[last]! - values[last - 1]!
  return copy
}

function pedal(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  // NaN stays NaN.
  return values.map(value => Math.min(1, Math.max(0, value)))
}

function lapOf({ facts, track }: Reference, saved: SavedLapFacts): Lap {
  const timeS = track.timeMs / 1000
  const lastRow = track.pct.length - 2
  const rowAt = (share: number) => Math.min(lastRow, Math.max(1, Math.round(share * (lastRow + 1))))
  const incidents = (track.incidents ?? []).map(
    ({ kind, fromPct, toPct }): LapIncident => ({ kind, row_start: rowAt(fromPct), row_end: rowAt(toPct) }),
  )
  return {
    lap: saved.lap,
    is_completed: true,
    is_clean: saved.isClean,
    reasons: saved.reasons,
    time_s: timeS,
    time_fmt: formatLapTime(timeS),
    time_source: facts.timeSource,
    row_start: 1,
    row_end: lastRow,
    incidents,
    session_num: 0,
    session_name: saved.sessionName,
  }
}
