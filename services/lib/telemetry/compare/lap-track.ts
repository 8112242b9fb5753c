import type { Columns, ColumnValues } from '../columns.ts'
import { MAX_GAP_S } from '../laps/find-segments.ts'
import type { IncidentKind, Lap } from '../laps/lap.ts'
import { columnOf, type LapFacts, trackLength } from '../laps/lap-data.ts'
import { lapTimeMs } from '../laps/lap-time-ms.ts'
import { findLines } from '../laps/lines.ts'
import { findPositions } from '../positions.ts'
import type { Preview, PreviewMeta, PreviewSeries, SeriesName } from '../preview/preview.ts'
import { PREVIEW_CHANNELS } from '../preview/preview-channels.ts'
import { risingRows } from './rising-rows.ts'

/** An incident of a lap; from `fromPct` to `toPct`, shares of the lap. */
export interface TrackIncident {
  readonly kind: IncidentKind
  readonly fromPct: number
  readonly toPct: number
}

/** One lap over even steps of its distance, both ends included. A channel that the file lacks is absent. */
export interface LapTrack {
  /** Metres from line to line; null if the file does not state it. */
  readonly lengthM: number | null
  /** The scored time of the lap, milliseconds. */
  readonly timeMs: number
  /** In driving order; absent if there were none, or the lap was stored without them. */
  readonly incidents?: readonly TrackIncident[]
  /** Share of the lap: `pct[i]` is `i / (n - 1)`. */
  readonly pct: Float64Array<ArrayBuffer>
  /**
   * Seconds since the line; the last one is the interpolated lap time, never scaled to `timeMs`. Never falls.
   */
  readonly time: Float64Array<ArrayBuffer>
  /** 0..1. */
  readonly throttle?: Float32Array<ArrayBuffer>
  readonly brake?: Float32Array<ArrayBuffer>
  /** Steering wheel angle in radians, positive to the left. */
  readonly steering?: Float32Array<ArrayBuffer>
  /** Of the nearest sample: -1 reverse, 0 neutral. */
  readonly gear?: Int8Array<ArrayBuffer>
  readonly rpm?: Float32Array<ArrayBuffer>
  /** m/s. */
  readonly speed?: Float32Array<ArrayBuffer>
  /** Degrees, WGS 84. */
  readonly lat?: Float64Array<ArrayBuffer>
  readonly lon?: Float64Array<ArrayBuffer>
  /** Metres above sea level. */
  readonly alt?: Float32Array<ArrayBuffer>
}

/** The parts of a preview that a lap track needs. */
export type PreviewSource = PreviewSeries & {
  readonly meta: Pick<PreviewMeta, 'track_length_m'>
  readonly debug: Pick<Preview['debug'], 'missing'>
}

/**
 * Returns a lap of a preview, or of columns, over its distance; null if the lap is not complete. Columns need
 * `PREVIEW_CHANNELS`, and `PlayerTrackSurface` if the file has it. Changes no argument. Points are a metre
 * apart, at least `MIN_POINTS` and at most `MAX_POINTS`.
 */
export function lapTrack(preview: PreviewSource, lap: Lap): LapTrack | null
export function lapTrack(columns: Columns, lap: Lap, facts: LapFacts): LapTrack | null
export function lapTrack(source: PreviewSource | Columns, lap: Lap, facts?: LapFacts): LapTrack | null {
  if (!lap.is_completed || lap.time_s === null) return null
  const session = 'byName' in source ? ofColumns(source, facts ?? { trackLengthM: null }) : ofPreview(source)
  const knots = session === null ? null : knotsOf(session, lap)
  if (session === null || knots === null) return null

  const lengthM = session.lengthM
  const points = pointsOf(lengthM)
  const sampling = sample(session, knots, points)
  const { channel } = session
  return {
    lengthM,
    timeMs: lapTimeMs(lap.time_s),
    ...(lap.incidents.length > 0 ? { incidents: incidentsOf(session, lap) } : {}),
    pct: sampling.pct,
    time: sampling.time,
    ...present('throttle', pedal(channel.throttle, sampling)),
    ...present('brake', pedal(channel.brake, sampling)),
    ...present('steering', interpolated(channel.steeringWheelAngle, sampling, Float32Array)),
    ...present('gear', nearest(channel.gear, sampling)),
    ...present('rpm', interpolated(channel.rpm, sampling, Float32Array)),
    ...present('speed', interpolated(channel.speed, sampling, Float32Array)),
    ...present('lat', interpolated(bridged(session, channel.lat, knots), sampling, Float64Array)),
    ...present('lon', interpolated(bridged(session, channel.lon, knots), sampling, Float64Array)),
    ...present('alt', interpolated(channel.alt, sampling, Float32Array)),
  }
}

/** A track of a few hundred metres still gets a smooth line. */
export const MIN_POINTS = 500
/** 20 km in steps of a metre; the simulator's longest track, 25 km, in steps of 1.25 m. */
export const MAX_POINTS = 20_001
/** Used if the length is unknown: as for a track of 4 km. */
const UNKNOWN_LENGTH_POINTS = 4001

function pointsOf(lengthM: number | null): number {
  if (lengthM === null) return UNKNOWN_LENGTH_POINTS
  return Math.min(MAX_POINTS, Math.max(MIN_POINTS, Math.round(lengthM) + 1))
}

type Channel = Exclude<SeriesName, 'sessionTime' | 'lapDistPct' | 'lapDist'>

/** A channel of the file, or of a preview, whose gears are a byte each. */
type Values = ColumnValues | Int8Array

interface Session {
  readonly rows: number
  readonly timeS: ColumnValues
  readonly pct: ColumnValues
  /** irsdk_TrkLoc; null if unknown. */
  readonly surface: ColumnValues | null
  readonly channel: Readonly<Record<Channel, Values | null>>
  readonly lengthM: number | null
}

const CHANNELS = [
  'lat',
  'lon',
  'alt',
  'throttle',
  'brake',
  'gear',
  'rpm',
  'steeringWheelAngle',
  'speed',
] as const satisfies readonly Channel[]

function channels(of: (name: Channel) => Values | null): Session['channel'] {
  return Object.fromEntries(CHANNELS.map(name => [name, of(name)])) as Session['channel']
}

function ofPreview(preview: PreviewSource): Session {
  const { missing } = preview.debug
  const isMissing = (name: SeriesName): boolean => missing.includes(name)
  const { sessionTime, lapDistPct } = preview
  return {
    rows: sessionTime.length,
    timeS: sessionTime,
    pct: lapDistPct,
    surface: null,
    channel: channels(name => (isMissing(name) ? null : preview[name])),
    lengthM: trackLength(
      { trackLengthM: preview.meta.track_length_m },
      lapDistPct,
      isMissing('lapDist') ? null : preview.lapDist,
      null,
    ),
  }
}

function ofColumns(columns: Columns, facts: LapFacts): Session | null {
  const of = (name: SeriesName): ColumnValues | null => columnOf(columns, PREVIEW_CHANNELS[name])
  const timeS = of('sessionTime')
  const pct = of('lapDistPct')
  if (timeS === null || pct === null) return null
  const lengthM = trackLength(facts, pct, of('lapDist'), null)
  const positions = findPositions({ lat: of('lat'), lon: of('lon'), speed: of('speed'), timeS })
  const channel = { ...channels(of), lat: positions?.lat ?? null, lon: positions?.lon ?? null }
  const surface = columnOf(columns, 'PlayerTrackSurface')
  return { rows: columns.rows, timeS, pct, surface, channel, lengthM }
}

/** A car that spins or turns round has its distance fall, so the ends are the least and the most of it. */
function incidentsOf(session: Session, { incidents }: Lap): TrackIncident[] {
  return incidents.map(({ kind, row_start, row_end }) => {
    let fromPct = 1
    let toPct = 0
    for (let row = row_start; row <= row_end; row++) {
      if (!isUsable(session, row)) continue
      const share = Math.min(1, Math.max(0, session.pct[row]!))
      fromPct = Math.min(fromPct, share)
      toPct = Math.max(toPct, share)
    }
    return { kind, fromPct: Math.min(fromPct, toPct), toPct }
  })
}

/** Rows of the file in which the lap's distance is known. */
interface Knots {
  /** At least two rows within the lap whose distance rises strictly. */
  readonly rows: Int32Array
  /** Rows across the lines. */
  readonly rowBefore: number
  readonly rowAfter: number
  /** SessionTime of both crossings, as used to time the lap. */
  readonly openS: number
  readonly closeS: number
}

function knotsOf(session: Session, lap: Lap): Knots | null {
  const { timeS, pct } = session
  const isGood = (row: number): boolean => isUsable(session, row)
  let rowBefore = lap.row_start - 1
  while (rowBefore >= 0 && !isGood(rowBefore)) rowBefore--
  let rowAfter = lap.row_end + 1
  while (rowAfter < session.rows && !isGood(rowAfter)) rowAfter++
  if (rowBefore < 0 || rowAfter >= session.rows) return null
  const { startS: openS } = findLines(pct, timeS, { first: 0, a: rowBefore, b: lap.row_start }, isGood)
  const lines = findLines(pct, timeS, { first: lap.row_start, a: lap.row_end, b: rowAfter }, isGood)
  const { finishS: closeS, rowPast } = lines
  if (!(closeS > openS) || !Number.isFinite(closeS - openS)) return null

  const usable = new Int32Array(lap.row_end - lap.row_start + 1)
  let count = 0
  let beforeS = openS
  for (let row = lap.row_start; row <= lap.row_end; row++) {
    const atS = timeS[row]!
    const share = pct[row]!
    if (!(share > 0 && share < 1 && atS >= beforeS && atS <= closeS) || !isGood(row)) continue
    usable[count++] = row
    beforeS = atS
  }
  const rows = risingRows(pct, usable.subarray(0, count))
  return rows.length < 2 ? null : { rows, rowBefore, rowAfter: rowPast, openS, closeS }
}

/**
 * Returns true if the car was in the world: see `lap-data.ts`. A blank row has distance 0 and no position or
 * speed.
 */
function isUsable({ timeS, pct, surface, channel: { lat, lon, speed } }: Session, row: number): boolean {
  if (!Number.isFinite(timeS[row]!) || !Number.isFinite(pct[row]!)) return false
  if (surface !== null && surface[row] === NOT_IN_WORLD) return false
  if (pct[row] !== 0) return true
  if (lat === null || lon === null) return speed === null || speed[row] !== 0
  return !Number.isNaN(lat[row]!)
}

/**
 * Fills positions that are absent for a moment, on the straight line between their neighbours. Longer gaps
 * stay NaN.
 */
function bridged({ timeS }: Session, values: Values | null, { rowBefore, rowAfter }: Knots): Values | null {
  if (values === null) return null
  let whole = values
  let before = -1
  for (let row = rowBefore; row <= rowAfter; row++) {
    if (Number.isNaN(values[row]!)) continue
    if (before !== -1 && row > before + 1 && timeS[row]! - timeS[before]! <= MAX_GAP_S) {
      if (whole === values) whole = Float64Array.from(values)
      const stepS = timeS[row]! - timeS[before]!
      for (let absent = before + 1; absent < row; absent++) {
        const share = (timeS[absent]! - timeS[before]!) / stepS
        whole[absent] = values[before]! + (values[row]! - values[before]!) * share
      }
    }
    before = row
  }
  return whole
}

const NOT_IN_WORLD = -1

/** For each point the two rows around it, and its share of the way from the first to the second. */
interface Sampling {
  readonly pct: Float64Array<ArrayBuffer>
  readonly time: Float64Array<ArrayBuffer>
  readonly rowA: Int32Array
  readonly rowB: Int32Array
  readonly share: Float64Array
}

function sample({ timeS, pct: rowPct }: Session, knots: Knots, points: number): Sampling {
  const { rows, rowBefore, rowAfter, openS, closeS } = knots
  const pct = new Float64Array(points)
  const time = new Float64Array(points)
  const rowA = new Int32Array(points)
  const rowB = new Int32Array(points)
  const share = new Float64Array(points)
  // The step that contains the point: from distance and time a to distance and time b. The first begins and
  // the last ends at the line, although the rows with their values lie across it.
  let next = 0
  let pctA = 0
  let timeA = openS
  let pctB = rowPct[rows[0]!]!
  let timeB = timeS[rows[0]!]!
  let fromS = timeS[rowBefore]!
  let toS = timeB
  for (let i = 0; i < points; i++) {
    const at = i / (points - 1)
    while (at > pctB && next < rows.length) {
      pctA = pctB
      timeA = timeB
      fromS = timeB
      next++
      const isLast = next === rows.length
      pctB = isLast ? 1 : rowPct[rows[next]!]!
      timeB = isLast ? closeS : timeS[rows[next]!]!
      toS = isLast ? timeS[rowAfter]! : timeB
    }
    const atS = timeA + (timeB - timeA) * ((at - pctA) / (pctB - pctA))
    pct[i] = at
    time[i] = atS - openS
    rowA[i] = next === 0 ? rowBefore : rows[next - 1]!
    rowB[i] = next === rows.length ? rowAfter : rows[next]!
    share[i] = toS > fromS ? Math.min(1, Math.max(0, (atS - fromS) / (toS - fromS))) : 1
  }
  time[0] = 0
  time[points - 1] = closeS - openS
  return { pct, time, rowA, rowB, share }
}

function interpolated<T extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  values: Values | null,
  { rowA, rowB, share }: Sampling,
  type: new (length: number) => T,
): T | null {
  if (values === null) return null
  const points = new type(rowA.length)
  for (let i = 0; i < points.length; i++) {
    const a = values[rowA[i]!]!
    points[i] = a + (values[rowB[i]!]! - a) * share[i]!
  }
  return points
}

function nearest(values: Values | null, { rowA, rowB, share }: Sampling): Int8Array<ArrayBuffer> | null {
  if (values === null) return null
  const points = new Int8Array(rowA.length)
  for (let i = 0; i < points.length; i++) points[i] = values[share[i]! < 0.5 ? rowA[i]! : rowB[i]!]!
  return points
}

/** Clamps to 0..1 like a preview; the simulator can exceed it slightly. NaN stays NaN. */
function pedal(values: Values | null, { rowA, rowB, share }: Sampling): Float32Array<ArrayBuffer> | null {
  if (values === null) return null
  const points = new Float32Array(rowA.length)
  for (let i = 0; i < points.length; i++) {
    const a = Math.min(1, Math.max(0, values[rowA[i]!]!))
    points[i] = a + (Math.min(1, Math.max(0, values[rowB[i]!]!)) - a) * share[i]!
  }
  return points
}

function present<K extends string, V>(key: K, value: V | null): { [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: V }
}
