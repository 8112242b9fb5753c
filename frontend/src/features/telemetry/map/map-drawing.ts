import {
  type Bounds,
  boundsOf,
  type DistanceGrid,
  distanceGrid,
  indexSamples,
  type KnownPositions,
  knownPositions,
  type LapLine,
  type LapPath,
  lapLines,
  lapMap,
  metresPerLongitude,
  type NearestSample,
  normalLon,
} from '@lapwing/lap-map'
import type { Preview } from '@lapwing/telemetry'
import { carDirection } from '../cars/car-direction.ts'
import type { LapColouring } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { type LapSeries, rowInLap } from '../lap-series.ts'
import { valueAtRow } from '../lap-time.ts'
import { rowAtShare } from '../same-position.ts'
import type { MapPlace } from './map-place.ts'

/** A lap and what is around it, ready for the map. */
export interface MapDrawing {
  /** Bounds of the lap; null if it has no position. */
  readonly bounds: Bounds | null
  /** Positions of the preview's rows, followed by those of the reference. */
  readonly positions: KnownPositions
  readonly lap: readonly LapPath[]
  /** The whole lap without its colours, for the casing. */
  readonly driven: readonly LapLine[]
  /** Empty without a reference. */
  readonly reference: readonly LapLine[]
  /** All laps of the session, which together show where the track is. */
  readonly track: readonly LapLine[]
  /** Lines of two places, each [lon, lat]. */
  readonly connectors: DistanceGrid['lines']
  readonly grid: DistanceGrid
  readonly nearest: NearestSample
}

/** Metres. A third of a pixel at the largest zoom of most tiles. */
const LAP_DETAIL_M = 0.3
const TRACK_DETAIL_M = 1

/** The pedal states that have these styles of a line. */
const STATES = { double: 'brake', plain: 'throttle', thin: 'coast' } as const

/** Returns a function that prepares laps of one session. It prepares the track once. */
export function mapDrawings(preview: Pick<Preview, 'lat' | 'lon' | 'laps'>) {
  const positions = knownPositions(preview)
  const track = lapLines(positions, preview.laps, TRACK_DETAIL_M)
  return (
    series: LapSeries,
    comparison: LapComparison | null,
    { classes, classOf }: LapColouring,
  ): MapDrawing => {
    const { row_start, row_end } = series.lap
    const reference = comparison?.reference ?? null
    const rows = preview.lat.length
    const all = reference ? joined(preview, reference) : null
    const rowsOfLap = { lap: 0, row_start, row_end }
    const input = {
      ...series.preview,
      ...all,
      laps: [rowsOfLap],
      selection: new Set([0]),
      boundaryPairs: comparison ? apexPairs(series, comparison, rows) : [],
      decimateToleranceMeters: LAP_DETAIL_M,
      classes: {
        colors: classes.map(({ colour }) => colour),
        states: classes.map(({ style }) => STATES[style]),
        classOf,
      },
    }
    const { paths, connectors, ...rest } = lapMap(input, all ? undefined : positions)
    const referenceRows = reference && {
      row_start: rows + reference.lap.row_start,
      row_end: rows + reference.lap.row_end,
    }
    return {
      ...rest,
      lap: paths,
      driven: lapLines(rest.positions, [rowsOfLap], LAP_DETAIL_M),
      reference: referenceRows ? lapLines(rest.positions, [referenceRows], LAP_DETAIL_M) : [],
      track,
      connectors: connectors.map(({ lat, lon }) => [
        [lon[0], lat[0]],
        [lon[1], lat[1]],
      ]),
      grid: rest.bounds ? distanceGrid(rest.bounds) : { spacingM: 0, lines: [] },
      nearest: indexSamples(rest.positions, row_start, row_end),
    }
  }
}

/** Returns the positions of a preview and, after its rows, those of a reference. */
function joined({ lat, lon }: Pick<Preview, 'lat' | 'lon'>, { preview: reference }: LapSeries) {
  const join = (first: ArrayLike<number>, second: ArrayLike<number>) => {
    const column = new Float64Array(first.length + second.length)
    column.set(first)
    column.set(second, first.length)
    return column
  }
  return { lat: join(lat, reference.lat), lon: join(lon, reference.lon) }
}

/** Returns the rows of both laps at each apex: a short line between them shows the distance of the two ways. */
function apexPairs(series: LapSeries, { reference, corners, lengthM }: LapComparison, rows: number) {
  return corners.map(({ apexM }) => {
    const share = apexM / lengthM
    return [rowAtShare(series, share), rows + rowAtShare(reference, share)] as const
  })
}

/** Returns the bounds of a part of the lap between two distances; null if it has no position there. */
export function stretchBounds(
  { positions }: MapDrawing,
  { lap }: LapSeries,
  metres: Float64Array,
  { minM, maxM }: { readonly minM: number; readonly maxM: number },
): Bounds | null {
  const isBetween = (metre: number) => metre >= minM && metre <= maxM
  const first = metres.findIndex(isBetween)
  const last = metres.findLastIndex(isBetween)
  if (first < 0) return null
  return boundsOf(positions, [{ row_start: lap.row_start + first, row_end: lap.row_start + last }])
}

/** A place of a lap, and where the car drives there. */
export interface MapCar extends MapPlace {
  /** Radians clockwise from east; null if the car did not move. */
  readonly direction: number | null
}

/** Returns the car at a row, which can be between two samples; null if the row has no place, or is outside of the lap. */
export function carOfRow(
  { positions }: MapDrawing,
  lap: LapSeries['lap'],
  row: number | null,
): MapCar | null {
  const inLap = rowInLap(row, lap)
  return inLap === null ? null : carAt(positions, inLap, lap)
}

/** Returns the car at a row of the reference; null without a place. */
export function carOfReferenceRow(
  { positions }: MapDrawing,
  { preview, lap }: LapSeries,
  row: number | null,
): MapCar | null {
  const start = positions.lat.length - preview.lat.length
  const rows = { row_start: start + lap.row_start, row_end: start + lap.row_end }
  return row === null ? null : carAt(positions, start + row, rows)
}

function carAt(
  { lat, lon }: KnownPositions,
  row: number,
  rows: Pick<LapSeries['lap'], 'row_start' | 'row_end'>,
): MapCar | null {
  const place = { lat: valueAtRow(lat, row), lon: valueAtRow(lon, row) }
  if (!Number.isFinite(place.lat)) return null
  const [eastM, northM] = [metresPerLongitude(place.lat), metresPerLongitude(0)]
  const direction = carDirection(
    i => lon[i]! * eastM,
    i => -lat[i]! * northM,
    row,
    rows,
  )
  return { ...place, direction }
}

/** Describes the map for readers who do not see it: size and place of the lap, and how the keys work. */
export function describeMap({ bounds }: MapDrawing, { name }: LapSeries): string {
  if (bounds === null) return ''
  const { north, south, east, west } = bounds
  const middleLat = (north + south) / 2
  const middleLon = normalLon((east + west) / 2)
  const km = (metres: number) => `${(metres / 1000).toFixed(1)} km`
  const wide = km((east - west) * metresPerLongitude(middleLat))
  const high = km((north - south) * metresPerLongitude(0))
  const degrees = (value: number, sides: string) =>
    `${Math.abs(value).toFixed(3)}° ${sides[value < 0 ? 1 : 0]}`
  return (
    `${name} is drawn on a map, ${wide} wide and ${high} high, around ${degrees(middleLat, 'NS')}, ` +
    `${degrees(middleLon, 'EW')}. Arrow keys move along the lap, plus and minus zoom, 0 shows the whole lap. Space plays it.`
  )
}
