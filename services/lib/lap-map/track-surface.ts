import { altitudeM } from './clamps.ts'
import type { LapRows } from './lap-map-input.ts'
import { drivenStretches } from './lap-paths.ts'
import type { LocalFrame } from './local-frame.ts'
import type { KnownPositions } from './positions.ts'

/**
 * The road as laps drove it: points along one lap, the guide, in even steps. Arrays have one entry a point;
 * all values are metres of a `LocalFrame`.
 */
export interface TrackSurface {
  readonly x: Float32Array
  /** Smoothed altitude; 0 everywhere if the altitude is missing. */
  readonly y: Float32Array
  readonly z: Float32Array
  /** Unit vector to the left of the driving direction. */
  readonly leftX: Float32Array
  readonly leftZ: Float32Array
  /** From the guide to the edges of the road. */
  readonly toLeft: Float32Array
  readonly toRight: Float32Array
  /** How far the laps lie apart; 0 if only one lap came by. */
  readonly spread: Float32Array
  /** Share of the lap; NaN if it is unknown. */
  readonly share: Float32Array
  readonly stepM: number
  /** Whether the last point meets the first. */
  readonly isClosed: boolean
}

export interface TrackSurfaceInput {
  readonly frame: LocalFrame
  readonly positions: KnownPositions
  /** Metres, one entry a sample. */
  readonly alt: ArrayLike<number>
  /** Share of the lap, one entry a sample. */
  readonly share: ArrayLike<number>
  /** The lap along which the road lies. */
  readonly guide: Pick<LapRows, 'row_start' | 'row_end'>
  /** Laps that show how wide the road is; the guide may be one of them. */
  readonly laps: readonly Pick<LapRows, 'row_start' | 'row_end'>[]
}

/** Metres between two points. A very long lap has longer steps, so that it has at most 2,500 points. */
const MIN_STEP_M = 3
const MOST_POINTS = 2500

/** Half of the narrowest road, and what is beside the outermost lap: half a car and a little more. */
const HALF_ROAD_M = 5
const BESIDE_LAP_M = 1.6

/** A sample farther from the guide was not on this road: the pit lane, an off. */
const MAX_BESIDE_M = 9

/** Altitudes are averaged over this distance to both sides, and edges over a third of it. */
const SMOOTH_M = 30

/** A lap is closed if its ends are this near. */
const CLOSED_M = 40

/** Returns the road in pieces: it ends where the guide has no position or jumps. Empty without positions. */
export function trackSurfaces(input: TrackSurfaceInput): TrackSurface[] {
  return drivenStretches(input.positions, input.guide)
    .map(([from, to]) => surfaceOf(input, from, to))
    .filter(surface => surface !== null)
}

function surfaceOf(input: TrackSurfaceInput, from: number, to: number): TrackSurface | null {
  const { frame, positions, alt, share } = input
  const rows = to - from + 1
  const rowX = new Float64Array(rows)
  const rowZ = new Float64Array(rows)
  const rowY = new Float64Array(rows)
  const along = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const row = from + i
    const altM = Number.isFinite(alt[row]) ? alt[row]! : frame.altM
    ;[rowX[i], rowY[i], rowZ[i]] = frame.toLocal(positions.lat[row]!, positions.lon[row]!, altM)
    if (i > 0) along[i] = along[i - 1]! + Math.hypot(rowX[i]! - rowX[i - 1]!, rowZ[i]! - rowZ[i - 1]!)
  }
  const lengthM = along[rows - 1]!
  const stepM = Math.max(MIN_STEP_M, lengthM / MOST_POINTS)
  const points = Math.floor(lengthM / stepM) + 1
  if (points < 2) return null
  const isClosed =
    lengthM > 4 * CLOSED_M && Math.hypot(rowX[rows - 1]! - rowX[0]!, rowZ[rows - 1]! - rowZ[0]!) < CLOSED_M
  const x = new Float32Array(points)
  const y = new Float32Array(points)
  const z = new Float32Array(points)
  const shares = new Float32Array(points)
  for (let i = 0, at = 0; i < points; i++) {
    const metre = i * stepM
    while (at < rows - 2 && along[at + 1]! < metre) at++
    const gap = along[at + 1]! - along[at]!
    const part = gap > 0 ? Math.min(1, Math.max(0, (metre - along[at]!) / gap)) : 0
    const mix = (column: Float64Array) => column[at]! * (1 - part) + column[at + 1]! * part
    x[i] = mix(rowX)
    y[i] = mix(rowY)
    z[i] = mix(rowZ)
    shares[i] = share[from + at] ?? Number.NaN
  }
  const smoothY = averaged(y, Math.round(SMOOTH_M / stepM), isClosed)
  const { leftX, leftZ } = sides(x, z, isClosed)
  const shape = { x, z, leftX, leftZ, share: shares, stepM, isClosed }
  const { most, least, spread } = lapsBeside(input, shape)
  const edge = (values: Float32Array) =>
    averaged(widest(values, 3, isClosed), Math.round(SMOOTH_M / 3 / stepM), isClosed)
  return {
    ...shape,
    y: smoothY,
    toLeft: edge(most.map(metres => Math.max(HALF_ROAD_M, metres + BESIDE_LAP_M))),
    toRight: edge(least.map(metres => Math.max(HALF_ROAD_M, BESIDE_LAP_M - metres))),
    spread: averaged(spread, Math.round(SMOOTH_M / 3 / stepM), isClosed),
  }
}

function sides(x: Float32Array, z: Float32Array, isClosed: boolean) {
  const count = x.length
  const leftX = new Float32Array(count)
  const leftZ = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    const before = isClosed ? (i - 1 + count) % count : Math.max(0, i - 1)
    const after = isClosed ? (i + 1) % count : Math.min(count - 1, i + 1)
    const dx = x[after]! - x[before]!
    const dz = z[after]! - z[before]!
    const length = Math.hypot(dx, dz) || 1
    leftX[i] = dz / length
    leftZ[i] = -dx / length
  }
  return { leftX, leftZ }
}

/** Measures how far laps were to the left (`most`) and right (`least`, negative) of each point. */
function lapsBeside(
  { frame, positions, share, laps }: TrackSurfaceInput,
  shape: Pick<TrackSurface, 'x' | 'z' | 'leftX' | 'leftZ' | 'share' | 'stepM' | 'isClosed'>,
) {
  const count = shape.x.length
  const most = new Float32Array(count)
  const least = new Float32Array(count)
  const lapsAt = new Uint16Array(count)
  const pointAt = pointFinder(shape.share)
  laps.forEach(({ row_start, row_end }, lap) => {
    for (let row = Math.max(0, row_start); row <= row_end && row < positions.lat.length; row++) {
      if (Number.isNaN(positions.lat[row]!)) continue
      const near = pointAt(share[row]!)
      if (near < 0) continue
      const [x, , z] = frame.toLocal(positions.lat[row]!, positions.lon[row]!, frame.altM)
      const ahead = aheadOf(shape, near, x, z)
      if (Math.abs(ahead) > 6 * shape.stepM) continue
      const at = Math.min(count - 1, Math.max(0, near + Math.round(ahead / shape.stepM)))
      const beside = (x - shape.x[at]!) * shape.leftX[at]! + (z - shape.z[at]!) * shape.leftZ[at]!
      if (Math.abs(beside) > MAX_BESIDE_M) continue
      if (beside > most[at]!) most[at] = beside
      if (beside < least[at]!) least[at] = beside
      lapsAt[at] = lap + 1
    }
  })
  const spread = most.map((metres, i) => (lapsAt[i]! > 0 ? metres - least[i]! : 0))
  return { most, least, spread }
}

/** Returns metres that a place is ahead of a point. */
function aheadOf(
  { x, z, leftX, leftZ }: Pick<TrackSurface, 'x' | 'z' | 'leftX' | 'leftZ'>,
  at: number,
  px: number,
  pz: number,
): number {
  return -(px - x[at]!) * leftZ[at]! + (pz - z[at]!) * leftX[at]!
}

/** Returns a function from a share of the lap to the point nearest to it; -1 if there is none. */
function pointFinder(shares: Float32Array): (share: number) => number {
  const BINS = 4096
  const bins = new Int32Array(BINS + 1).fill(-1)
  for (let i = 0; i < shares.length; i++) {
    const bin = Math.round(shares[i]! * BINS)
    if (bin >= 0 && bin <= BINS) bins[bin] = i
  }
  // A bin without a point has the one before it, if that is near.
  const reach = Math.ceil((3 * BINS) / shares.length)
  for (let bin = 1, since = 0; bin <= BINS; bin++) {
    since = bins[bin]! >= 0 ? 0 : since + 1
    if (since > 0 && since <= reach) bins[bin] = bins[bin - 1]!
  }
  return share => (share >= 0 && share <= 1 ? bins[Math.round(share * BINS)]! : -1)
}

/** Returns the altitude of the road at a share of the lap; null if the road is unknown there. */
export function roadHeights(surfaces: readonly TrackSurface[]) {
  const finders = surfaces.map(({ share }) => pointFinder(share))
  return (share: number): number | null => {
    for (let i = 0; i < surfaces.length; i++) {
      const at = finders[i]!(share)
      if (at < 0) continue
      const { share: shares, y, isClosed } = surfaces[i]!
      const next = at + 1 < y.length ? at + 1 : isClosed ? 0 : at
      const gap = shares[next]! - shares[at]!
      const part = gap > 0 ? Math.min(1, Math.max(0, (share - shares[at]!) / gap)) : 0
      return y[at]! * (1 - part) + y[next]! * part
    }
    return null
  }
}

/** Averages over `reach` entries to both sides. On a closed track the ends are neighbours. */
function averaged(values: Float32Array, reach: number, isClosed: boolean): Float32Array {
  const count = values.length
  const sums = new Float64Array(count + 1)
  for (let i = 0; i < count; i++) sums[i + 1] = sums[i]! + values[i]!
  const upTo = (index: number) =>
    sums[count]! * Math.floor(index / count) + sums[((index % count) + count) % count]!
  const wide = Math.min(reach, Math.floor((count - 1) / 2))
  return values.map((_, i) => {
    if (isClosed) return (upTo(i + wide + 1) - upTo(i - wide)) / (2 * wide + 1)
    const near = Math.min(wide, i, count - 1 - i)
    return (sums[i + near + 1]! - sums[i - near]!) / (2 * near + 1)
  })
}

function widest(values: Float32Array, reach: number, isClosed: boolean): Float32Array {
  const count = values.length
  return values.map((value, i) => {
    let most = value
    for (let step = -reach; step <= reach; step++) {
      const at = isClosed ? (i + step + count) % count : Math.min(count - 1, Math.max(0, i + step))
      most = Math.max(most, values[at]!)
    }
    return most
  })
}

/** Returns the mean altitude of a lap in metres; 0 if none is known. */
export function meanAltitudeM(
  alt: ArrayLike<number>,
  { row_start, row_end }: Pick<LapRows, 'row_start' | 'row_end'>,
): number {
  let sum = 0
  let known = 0
  for (let row = Math.max(0, row_start); row <= row_end && row < alt.length; row++) {
    if (!Number.isFinite(alt[row])) continue
    sum += altitudeM(alt[row])
    known++
  }
  return known === 0 ? 0 : sum / known
}
