import { boundsOf, type KnownPositions, knownPositions, type LapRows } from '@lapwing/lap-map'
import {
  type LocalFrame,
  localFrame,
  meanAltitudeM,
  roadHeights,
  type Terrain,
  type TrackSurface,
  terrainAround,
  trackSurfaces,
} from '@lapwing/lap-map/ground'
import type { Preview } from '@lapwing/telemetry'
import { fastestLap } from '#shared/laps/is-timed-lap.ts'
import { carDirection } from '../cars/car-direction.ts'
import { colourRuns, type LapColouring, type LineClass } from '../lap-colouring.ts'
import type { CornerPosition, LapComparison } from '../lap-comparison.ts'
import type { LapSeries } from '../lap-series.ts'
import { rowAtShare } from '../same-position.ts'
import type { GroundBox, ScenePoint } from './camera-pose.ts'
import type { SceneCar } from './follow-camera.ts'

/** The ground below the laps of one place. */
export interface SceneSite {
  readonly frame: LocalFrame
  readonly surfaces: readonly TrackSurface[]
  /** Null if there is no road. */
  readonly terrain: Terrain | null
}

/** Lines of one colour. */
export interface LineGroup extends LineClass {
  /** Six numbers a segment: both ends in metres. */
  readonly segments: Float32Array
}

/** A word at a point of the road. */
export interface SceneLabel extends ScenePoint {
  readonly kind: 'corner' | 'distance'
  readonly text: string
}

/** A lap in the scene. Heights are those of the ground, without the offset that the driver chooses. */
export interface SceneDrawing {
  readonly site: SceneSite
  /** Three numbers a row of the lap, from its first row; NaN without a position. */
  readonly lap: Float32Array
  /** The same of the reference; null without one. */
  readonly reference: Float32Array | null
  readonly lapLines: readonly LineGroup[]
  readonly referenceLine: Float32Array
  /** Six numbers a line: the lap and the reference at an apex. */
  readonly connectors: Float32Array
  readonly labels: readonly SceneLabel[]
  /** Whether the lap has an altitude. */
  readonly isFlat: boolean
  readonly box: GroundBox
}

/** Metres between two points of a line; a segment is never shorter, so that long laps stay light. */
const LEAST_SEGMENT_M = 3
const MOST_SEGMENTS = 3000

/** Metres between distance boards, for at most this many. */
const BOARD_STEPS_M = [250, 500, 1000, 2500, 5000]
const MOST_BOARDS = 14

/** A lap this far from the ground's middle needs ground of its own: the session is at two places. */
const SAME_PLACE_M = 30_000

/** Returns a function that prepares laps of one session. It keeps the ground while laps are at the same place. */
export function sceneDrawings(preview: Preview) {
  const positions = knownPositions(preview)
  let site: SceneSite | null = null
  return (
    series: LapSeries,
    comparison: LapComparison | null,
    colouring: LapColouring,
    corners: readonly Pick<CornerPosition, 'label' | 'apexM'>[],
  ): SceneDrawing | null => {
    const { lap } = series
    if (!boundsOf(positions, [lap])) return null
    if (site === null || !isAt(site, positions, lap)) site = siteOf(preview, positions, lap)
    const heights = roadHeights(site.surfaces)
    const points = pointsOf(site, heights, series, positions)
    const reference = comparison && {
      series: comparison.reference,
      points: pointsOf(site, heights, comparison.reference, knownPositions(comparison.reference.preview)),
    }
    return {
      site,
      lap: points,
      reference: reference?.points ?? null,
      lapLines: lapLines(points, series, colouring),
      referenceLine: reference
        ? segmentsOf(reference.points, 0, reference.points.length / 3 - 1, stepOf(reference.points))
        : new Float32Array(0),
      connectors: reference
        ? connectorsOf(series, points, comparison!, reference.points)
        : new Float32Array(0),
      labels: [...cornerLabels(series, points, corners), ...boardsOf(series, points)],
      isFlat: !hasAltitude(preview, lap),
      box: boxOf(points),
    }
  }
}

type Rows = Pick<LapRows, 'row_start' | 'row_end'>

function siteOf(preview: Preview, positions: KnownPositions, lap: Rows): SceneSite {
  const own = boundsOf(positions, [lap])!
  const middle = { lat: (own.north + own.south) / 2, lon: (own.east + own.west) / 2 }
  const near = localFrame(middle.lat, middle.lon, 0)
  const laps = preview.laps.filter(other => isAt({ frame: near }, positions, other))
  const guide = fastestLap(laps) ?? lap
  const frame = localFrame(middle.lat, middle.lon, meanAltitudeM(preview.alt, guide))
  const { alt, lapDistPct: share } = preview
  const surfaces = trackSurfaces({ frame, positions, alt, share, guide, laps })
  return { frame, surfaces, terrain: terrainAround(surfaces) }
}

function isAt({ frame }: Pick<SceneSite, 'frame'>, positions: KnownPositions, lap: Rows): boolean {
  const bounds = boundsOf(positions, [lap])
  if (!bounds) return false
  const [x, , z] = frame.toLocal((bounds.north + bounds.south) / 2, (bounds.east + bounds.west) / 2, 0)
  return Math.hypot(x, z) < SAME_PLACE_M
}

/** Returns the points of a lap on the road, or at its own altitude where the road is unknown. */
function pointsOf(
  { frame }: SceneSite,
  heights: (share: number) => number | null,
  { preview, lap }: LapSeries,
  positions: KnownPositions,
): Float32Array {
  const rows = Math.max(0, lap.row_end - lap.row_start + 1)
  const points = new Float32Array(3 * rows).fill(Number.NaN)
  for (let i = 0; i < rows; i++) {
    const row = lap.row_start + i
    if (!(row < positions.lat.length) || Number.isNaN(positions.lat[row]!)) continue
    const altM = preview.alt[row]!
    const [x, y, z] = frame.toLocal(
      positions.lat[row]!,
      positions.lon[row]!,
      Number.isFinite(altM) ? altM : frame.altM,
    )
    points.set([x, heights(preview.lapDistPct[row]!) ?? y, z], 3 * i)
  }
  return points
}

function lapLines(points: Float32Array, series: LapSeries, colouring: LapColouring): LineGroup[] {
  const { classes } = colouring
  const { lap } = series
  const stepM = stepOf(points)
  const parts = classes.map((): Float32Array[] => [])
  for (const { state, start, end } of colourRuns(colouring, series)) {
    // To the first sample of the next run, so that there is no gap at a change of colour.
    const last = Math.min(end + 1, lap.row_end)
    parts[state]!.push(segmentsOf(points, start - lap.row_start, last - lap.row_start, stepM))
  }
  return classes.map((lineClass, i) => ({ ...lineClass, segments: joined(parts[i]!) }))
}

/** Metres from one point to another of the same row order; NaN if one is missing. */
function between(points: Float32Array, from: number, to: number): number {
  return Math.hypot(points[3 * to]! - points[3 * from]!, points[3 * to + 2]! - points[3 * from + 2]!)
}

function stepOf(points: Float32Array): number {
  let metres = 0
  for (let i = 1; i < points.length / 3; i++) metres += between(points, i - 1, i) || 0
  return Math.max(LEAST_SEGMENT_M, metres / MOST_SEGMENTS)
}

/** A longer step between two samples was not driven. */
const MAX_STEP_M = 100

/** Returns the line through points `from..to` in segments of at least `stepM`. */
function segmentsOf(points: Float32Array, from: number, to: number, stepM: number): Float32Array {
  const found: number[] = []
  let last = from
  for (let i = from + 1; i <= to; i++) {
    const metres = between(points, i - 1, i)
    if (!(metres <= MAX_STEP_M)) {
      // A gap: the line goes on behind it.
      last = i
      continue
    }
    if (Number.isNaN(points[3 * last]!)) last = i - 1
    if (i < to && between(points, last, i) < stepM && between(points, i, i + 1) <= MAX_STEP_M) continue
    for (const at of [last, i]) found.push(points[3 * at]!, points[3 * at + 1]!, points[3 * at + 2]!)
    last = i
  }
  return Float32Array.from(found)
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function connectorsOf(
  series: LapSeries,
  points: Float32Array,
  { reference, corners, lengthM }: LapComparison,
  others: Float32Array,
): Float32Array {
  const pairs = corners.flatMap(({ apexM }) => {
    const share = apexM / lengthM
    const own = pointAt(points, rowAtShare(series, share) - series.lap.row_start)
    const other = pointAt(others, rowAtShare(reference, share) - reference.lap.row_start)
    return own && other ? [own.x, own.y, own.z, other.x, other.y, other.z] : []
  })
  return Float32Array.from(pairs)
}

/** Returns the point of a row, counted from the lap's first; null without a position. */
export function pointAt(points: Float32Array, row: number): ScenePoint | null {
  const x = points[3 * row]
  return x === undefined || Number.isNaN(x) ? null : { x, y: points[3 * row + 1]!, z: points[3 * row + 2]! }
}

/** Returns the car at a row, counted from the lap's first, with a fraction between two rows; null without a position. */
export function carAt(points: Float32Array, row: number): SceneCar | null {
  const before = Math.floor(row)
  const share = row - before
  const from = pointAt(points, before)
  const to = share === 0 ? from : pointAt(points, before + 1)
  if (!from || !to) return null
  const between = (axis: 'x' | 'y' | 'z') => from[axis] + share * (to[axis] - from[axis])
  const direction = carDirection(
    i => points[3 * i]!,
    i => points[3 * i + 2]!,
    row,
    { row_start: 0, row_end: points.length / 3 - 1 },
  )
  return { x: between('x'), y: between('y'), z: between('z'), direction }
}

function cornerLabels(
  series: LapSeries,
  points: Float32Array,
  corners: readonly Pick<CornerPosition, 'label' | 'apexM'>[],
): SceneLabel[] {
  const lengthM = series.preview.meta.track_length_m || 100
  return corners.flatMap(({ label, apexM }) => labelAt(series, points, apexM / lengthM, 'corner', label))
}

function boardsOf(series: LapSeries, points: Float32Array): SceneLabel[] {
  const lengthM = series.preview.meta.track_length_m
  if (!lengthM) return []
  const stepM = BOARD_STEPS_M.find(step => lengthM / step <= MOST_BOARDS) ?? 10_000
  return Array.from({ length: Math.ceil(lengthM / stepM) - 1 }, (_, i) => (i + 1) * stepM).flatMap(metre =>
    labelAt(series, points, metre / lengthM, 'distance', boardText(metre)),
  )
}

const boardText = (metre: number) => (metre < 1000 ? `${metre} m` : `${metre / 1000} km`)

/** Shares of the lap that a label may be away from the driven part. */
const NEAR_SHARE = 0.01

function labelAt(
  series: LapSeries,
  points: Float32Array,
  share: number,
  kind: SceneLabel['kind'],
  text: string,
): SceneLabel[] {
  const row = rowAtShare(series, share)
  // A partial lap did not come by.
  if (!(Math.abs(series.preview.lapDistPct[row]! - share) < NEAR_SHARE)) return []
  const point = pointAt(points, row - series.lap.row_start)
  return point ? [{ ...point, kind, text }] : []
}

function hasAltitude({ alt }: Pick<Preview, 'alt'>, { row_start, row_end }: Rows): boolean {
  for (let row = row_start; row <= row_end; row++) if (Number.isFinite(alt[row])) return true
  return false
}

/** Returns the box around points, wider by a share of 4 % on each side as on the flat map. */
function boxOf(points: Float32Array): GroundBox {
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < points.length; i += 3) {
    if (Number.isNaN(points[i]!)) continue
    west = Math.min(west, points[i]!)
    east = Math.max(east, points[i]!)
    north = Math.min(north, points[i + 2]!)
    south = Math.max(south, points[i + 2]!)
  }
  const [wide, high] = [0.04 * (east - west), 0.04 * (south - north)]
  return { west: west - wide, east: east + wide, north: north - high, south: south + high }
}

/** Yields the points of rows that have one, counted from the lap's first row. */
export function* pointsIn(points: Float32Array, from = 0, to = points.length / 3 - 1): Generator<ScenePoint> {
  for (let row = Math.max(0, from); row <= to; row++) {
    const point = pointAt(points, row)
    if (point) yield point
  }
}
