import type { LapTrack } from '../compare/lap-track.ts'
import { type FoundCorner, MAX_CORNERS } from './corner.ts'
import type { Curvature } from './curvature.ts'
import { trackShape } from './track-shape.ts'

/**
 * Finds the corners of a track from its laps, in driving order and without overlap. Returns none if no lap
 * has positions or steering. The laps may be of several drivers and in any order: each point of the road
 * counts as the median lap drove it.
 */
export function findTrackCorners(laps: readonly LapTrack[]): readonly FoundCorner[] {
  const shape = trackShape(laps)
  if (shape === null) return []
  const { bend, speed } = shape
  const { values } = bend
  const last = values.length - 1
  let end = 0
  const corners = turns(bend).map(({ kind, from, to }): FoundCorner => {
    const start = slowingFrom(speed, end, from)
    const apex = apexOf(speed, values, from, to)
    end = to
    return {
      kind,
      startPct: start / last,
      apexPct: apex / last,
      endPct: end / last,
      direction: isLeft(values, from, to) ? 'left' : 'right',
    }
  })
  return corners.slice(0, MAX_CORNERS)
}

interface Turn extends Bend {
  readonly kind: FoundCorner['kind']
}

/** Least degrees by which each end of an oval turns; a corner of a triangle turns by 120. */
const OVAL_END_TURN = 130
/** Least degrees by which both ends together turn. The rest of the full turn is a bend at the line. */
const OVAL_TURN = 280

/**
 * Returns the turns of the track. On an oval these are its two ends; a bend of the straight at the line has
 * no number.
 */
function turns(curvature: Curvature): readonly Turn[] {
  const found = bends(curvature)
  const degrees = (bend: Bend): number => (turnOf(curvature.values, bend) * curvature.stepM * 180) / Math.PI
  const isOneWay = new Set(found.map(({ from, to }) => isLeft(curvature.values, from, to))).size === 1
  const ends = found.filter(bend => degrees(bend) >= OVAL_END_TURN)
  const isOval = isOneWay && ends.length === 2 && degrees(ends[0]!) + degrees(ends[1]!) >= OVAL_TURN
  return (isOval ? ends : found).map(bend => ({ ...bend, kind: isOval ? 'oval_end' : 'turn' }))
}

function isLeft(values: Float64Array, from: number, to: number): boolean {
  return values[mostBent(values, from, to)]! > 0
}

/** 1/m: a radius of 500 m. On a straight a car bends less than this, even in a lane change. */
const STRAIGHT = 1 / 500
/**
 * Least degrees by which a corner turns. Corrections and kinks of the recorded laps turn by up to 15, their
 * smallest corner by 24.
 */
const MIN_TURN = 20
/**
 * Two corners that follow each other the same way are separate if the curvature between them falls below this
 * share of the lesser one. Recorded laps: at most 0.57 between two corners, at least 0.72 within one.
 */
const VALLEY = 0.65

/** Points from `from` to `to`, both included, between which the car bends one way. */
interface Bend {
  readonly from: number
  readonly to: number
}

function bends(curvature: Curvature): Bend[] {
  const { values, stepM } = curvature
  const found: Bend[] = []
  for (let i = 0; i < values.length; ) {
    const from = i
    if (!(Math.abs(values[from]!) >= STRAIGHT)) {
      i++
      continue
    }
    const sign = Math.sign(values[from]!)
    while (i < values.length && values[i]! * sign >= STRAIGHT) i++
    for (const bend of splitAtValleys(values, from, i - 1)) {
      if (turnOf(values, bend) * stepM >= (MIN_TURN * Math.PI) / 180) found.push(bend)
    }
  }
  return found
}

/** Splits at the deepest valley until no part has one. */
function splitAtValleys(values: Float64Array, from: number, to: number): Bend[] {
  const size = to - from + 1
  // Highest curvature from each point to the end.
  const ahead = new Float64Array(size)
  for (let i = size - 1, most = 0; i >= 0; i--) {
    most = Math.max(most, Math.abs(values[from + i]!))
    ahead[i] = most
  }
  let deepest = -1
  let depth = VALLEY
  for (let i = 0, most = 0; i < size; i++) {
    const value = Math.abs(values[from + i]!)
    most = Math.max(most, value)
    const share = value / Math.min(most, ahead[i]!)
    if (share < depth) {
      depth = share
      deepest = from + i
    }
  }
  if (deepest === -1) return [{ from, to }]
  return [...splitAtValleys(values, from, deepest), ...splitAtValleys(values, deepest, to)]
}

/** Returns the sum of the curvature. */
function turnOf(values: Float64Array, { from, to }: Bend): number {
  let turn = 0
  for (let i = from; i <= to; i++) turn += Math.abs(values[i]!)
  return turn
}

function mostBent(values: Float64Array, from: number, to: number): number {
  let most = from
  for (let i = from + 1; i <= to; i++) if (Math.abs(values[i]!) > Math.abs(values[most]!)) most = i
  return most
}

/**
 * Returns the point before the turn with the highest speed, if the car slows from there: braking belongs to
 * the corner.
 */
function slowingFrom(speed: Float64Array | null, straightFrom: number, turn: number): number {
  if (speed === null) return turn
  let fastest = turn
  for (let i = turn; i >= straightFrom; i--) if (speed[i]! > speed[fastest]!) fastest = i
  return speed[fastest]! - speed[turn]! >= SLOWING_MPS ? fastest : turn
}

/** Less than a lift of the throttle, more than the effect of a rising road. */
const SLOWING_MPS = 1

function apexOf(speed: Float64Array | null, values: Float64Array, from: number, to: number): number {
  if (speed !== null) {
    let slowest = from
    for (let i = from + 1; i <= to; i++) if (speed[i]! < speed[slowest]!) slowest = i
    // If the slowest point is at the edge, the car comes from or slows for another corner.
    if (slowest > from && slowest < to) return slowest
  }
  return mostBent(values, from, to)
}
