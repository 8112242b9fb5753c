import { smooth } from '@lapwing/telemetry/smooth'

/**
 * A circuit as its ideal line, sampled every `stepM` from the start line on. It is closed: the first sample
 * follows the last.
 */
export interface Circuit {
  readonly lengthM: number
  readonly stepM: number
  /** Metres east and north of the start line, and above the sea. */
  readonly eastM: Float64Array
  readonly northM: Float64Array
  readonly altM: Float64Array
  /** Radians from east, positive to the left, without leaps: a clockwise lap ends at -2π. */
  readonly headingRad: Float64Array
  /** 1/m, positive to the left. */
  readonly curvature: Float64Array
  /** Metres from the middle of the track to the ideal line, positive to the left. */
  readonly offsetM: Float64Array
}

/** Straights and arcs in driving order from the start line, in metres and degrees to the left. */
export type RoadPiece =
  | readonly [kind: 'straight', lengthM: number]
  | readonly [radiusM: number, turn: number]

/** A closed road. */
export interface Road {
  readonly pieces: readonly RoadPiece[]
  /** Largest distance in metres of a line from the middle of the pieces, to either side. */
  readonly roomM: number
  /** Metres above the sea at a share of the lap. */
  readonly altitudeM: (share: number) => number
}

/** Metres from the middle of the track to its edge. */
export const HALF_WIDTH_M = 5.5
const CAR_HALF_WIDTH_M = 1.1

/** Metres between samples, before they are fitted to the length of the lap. */
const STEP_M = 2

/** Returns the ideal line of a road. */
export function buildCircuit(road: Road): Circuit {
  const middle = closedLine(curvatureOf(road.pieces))
  const offsets = idealOffsets(middle, road.roomM)
  return sampled(middle, offsets, road)
}

const GREYWATER_PIECES: readonly RoadPiece[] = [
  ['straight', 317.8],
  [50.6, -95],
  ['straight', 222.1],
  [143, 50],
  ['straight', 64.3],
  [68.2, 80],
  ['straight', 144.3],
  [19.8, -165],
  ['straight', 182.7],
  [297, 35],
  ['straight', 127.4],
  [88, -70],
  [165, -40],
  ['straight', 430.8],
  [23.1, -55],
  ['straight', 13.2],
  [26.4, 60],
  ['straight', 118.6],
  [209, -110],
  ['straight', 98.2],
  [74.8, 60],
  ['straight', 58.4],
  [60.5, -110],
  ['straight', 216.3],
]

/**
 * A made-up circuit: 3.4 km, 12 corners, clockwise. A valley between the hairpin and the back straight, a
 * crest before the sweeper: 27 m from the lowest to the highest point.
 */
export const GREYWATER_PARK: Road = {
  pieces: GREYWATER_PIECES,
  roomM: HALF_WIDTH_M - CAR_HALF_WIDTH_M,
  altitudeM(share) {
    const turn = 2 * Math.PI * share
    return (
      282 +
      10.5 * Math.cos(turn - 0.4) +
      4.2 * Math.cos(2 * turn - 2.1) +
      1.9 * Math.cos(3 * turn + 0.7) +
      0.8 * Math.cos(5 * turn + 1.9) +
      0.35 * Math.cos(9 * turn)
    )
  },
}

interface Line {
  readonly stepM: number
  readonly east: Float64Array
  readonly north: Float64Array
}

/** Returns the curvature about every metre, with eased ends of the arcs, as roads are built. */
function curvatureOf(road: readonly RoadPiece[]): { stepM: number; curvature: Float64Array } {
  const pieces = road.map(([first, second]) =>
    first === 'straight'
      ? { lengthM: second, turn: 0 }
      : { lengthM: first * Math.abs(second) * RAD, turn: second * RAD },
  )
  const lengthM = pieces.reduce((sum, piece) => sum + piece.lengthM, 0)
  const count = STEP_M * Math.round(lengthM / STEP_M)
  const stepM = lengthM / count
  const curvature = new Float64Array(count)
  let piece = 0
  let endM = pieces[0]!.lengthM
  for (let i = 0; i < count; i++) {
    while ((i + 0.5) * stepM > endM && piece < pieces.length - 1) endM += pieces[++piece]!.lengthM
    curvature[i] = pieces[piece]!.turn / pieces[piece]!.lengthM
  }
  return { stepM, curvature: smooth(curvature, EASE, true) }
}

const RAD = Math.PI / 180
const EASE = 6

/**
 * Follows the curvature round the lap, and spreads the distance between its end and its start over the lap.
 */
function closedLine({ stepM, curvature }: { stepM: number; curvature: Float64Array }): Line {
  const count = curvature.length
  const turn = curvature.reduce((sum, k) => sum + k, 0) * stepM
  const missing = (2 * Math.PI * Math.sign(turn) - turn) / count
  const east = new Float64Array(count + 1)
  const north = new Float64Array(count + 1)
  let heading = 0
  for (let i = 0; i < count; i++) {
    const bend = curvature[i]! * stepM + missing
    east[i + 1] = east[i]! + stepM * Math.cos(heading + bend / 2)
    north[i + 1] = north[i]! + stepM * Math.sin(heading + bend / 2)
    heading += bend
  }
  const errorEast = east[count]!
  const errorNorth = north[count]!
  for (let i = 0; i < count; i++) {
    east[i] = east[i]! - (errorEast * i) / count
    north[i] = north[i]! - (errorNorth * i) / count
  }
  return { stepM, east: east.slice(0, count), north: north.slice(0, count) }
}

/**
 * Returns offsets to the left of the middle for the line with the least bend. Each point moves to where an
 * elastic rod through its neighbours would pull it, within the edges, until no point moves.
 */
function idealOffsets(middle: Line, roomM: number): Float64Array {
  const count = Math.floor(middle.east.length / ROD_STEP)
  const stepM = middle.east.length / count
  const at = new Float64Array(count).map((_, i) => i * stepM)
  const normals = at.map(s => headingAt(middle, s) + Math.PI / 2)
  const normalEast = normals.map(Math.cos)
  const normalNorth = normals.map(Math.sin)
  const middleEast = at.map(s => valueAt(middle.east, s))
  const middleNorth = at.map(s => valueAt(middle.north, s))
  const east = Float64Array.from(middleEast)
  const north = Float64Array.from(middleNorth)
  const offset = new Float64Array(count)
  const pull = (values: Float64Array, i: number): number => {
    const near = values[(i + count - 1) % count]! + values[(i + 1) % count]!
    const far = values[(i + count - 2) % count]! + values[(i + 2) % count]!
    return (4 * near - far) / 6 - values[i]!
  }
  for (let sweep = 0; sweep < ROD_SWEEPS; sweep++) {
    for (let i = 0; i < count; i++) {
      const moved = pull(east, i) * normalEast[i]! + pull(north, i) * normalNorth[i]!
      offset[i] = Math.min(roomM, Math.max(-roomM, offset[i]! + 1.4 * moved))
      east[i] = middleEast[i]! + offset[i]! * normalEast[i]!
      north[i] = middleNorth[i]! + offset[i]! * normalNorth[i]!
    }
  }
  const fine = middle.east.map((_, i) => valueAt(offset, i / stepM))
  return smooth(fine, 7, true)
}

const ROD_STEP = 10
const ROD_SWEEPS = 1500

/** Returns the ideal line at equal steps of its own length, with everything that driving needs. */
function sampled(middle: Line, offsets: Float64Array, { altitudeM }: Road): Circuit {
  const n = middle.east.length
  const rawEast = new Float64Array(n)
  const rawNorth = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const normal = headingAt(middle, i) + Math.PI / 2
    rawEast[i] = middle.east[i]! + offsets[i]! * Math.cos(normal)
    rawNorth[i] = middle.north[i]! + offsets[i]! * Math.sin(normal)
  }
  const distance = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n
    distance[i + 1] = distance[i]! + Math.hypot(rawEast[j]! - rawEast[i]!, rawNorth[j]! - rawNorth[i]!)
  }
  const lengthM = distance[n]!
  const count = Math.round(lengthM / STEP_M)
  const stepM = lengthM / count
  const index = new Float64Array(count)
  for (let i = 0, raw = 0; i < count; i++) {
    while (distance[raw + 1]! < i * stepM) raw++
    index[i] = raw + (i * stepM - distance[raw]!) / (distance[raw + 1]! - distance[raw]!)
  }
  const eastM = index.map(at => valueAt(rawEast, at))
  const northM = index.map(at => valueAt(rawNorth, at))
  const bends = new Float64Array(count)
  const headingRad = new Float64Array(count)
  let heading = headingAt({ stepM, east: eastM, north: northM }, 0)
  for (let i = 0; i < count; i++) {
    headingRad[i] = heading
    const next = headingAt({ stepM, east: eastM, north: northM }, (i + 1) % count)
    const bend = Math.atan2(Math.sin(next - heading), Math.cos(next - heading))
    bends[i] = bend / stepM
    heading += bend
  }
  return {
    lengthM,
    stepM,
    eastM,
    northM,
    altM: index.map((_, i) => altitudeM(i / count)),
    headingRad,
    curvature: smooth(bends, 2, true),
    offsetM: index.map(at => valueAt(offsets, at)),
  }
}

/** Interpolates a closed series between its samples, by a cubic through four of them. */
export function valueAt(values: Float64Array, at: number): number {
  const n = values.length
  const floor = Math.floor(at)
  const share = at - floor
  const i = ((floor % n) + n) % n
  const a = values[(i + n - 1) % n]!
  const b = values[i]!
  const c = values[(i + 1) % n]!
  const d = values[(i + 2) % n]!
  return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)))
}

function headingAt({ east, north }: Line, at: number): number {
  return Math.atan2(
    valueAt(north, at + 1) - valueAt(north, at - 1),
    valueAt(east, at + 1) - valueAt(east, at - 1),
  )
}
