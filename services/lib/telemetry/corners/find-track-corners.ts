import type { LapTrack } from '../compare/lap-track.ts'
import { type FoundCorner, MAX_CORNERS } from './corner.ts'
import type { Curvature } from './curvature.ts'
import { trackShape } from './track-shape.ts'

/**
 * Finds the corners of a track from laps of it, in driving order and without overlap. Returns none if
 * neither places nor steering of any lap show how the road bends. The laps may be of several drivers and
 * in any order: each point of the road counts as the middle one of them drove it.
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

/** Degrees by which each end of an oval turns at least; a corner of a triangle turns by 120. */
const OVAL_END_TURN = 130
/** Degrees by which both ends turn together at least. The rest of the full turn is a bend at the line. */
const OVAL_TURN = 280

/** On an oval its two ends: a bend of the straight at the line has no number there. */
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

/** 1/m: a radius of 500 m. Over a straight a car bends less than this, even where it changes lanes. */
const STRAIGHT = 1 / 500
/**
 * Degrees by which a corner turns. Corrections and kinks of the recorded laps turn by up to 15, the
 * least of their corners by 24.
 */
const LEAST_TURN = 20
/**
 * Two corners that follow each other the same way: between them a car bends less than this share of
 * what it bends in the lesser. Recorded laps: between two corners 0.57 at most, within one 0.72 at
 * least.
 */
const VALLEY = 0.65

/** Points from `from` up to `to`, both included, between which the car bends one way. */
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
      if (turnOf(values, bend) * stepM >= (LEAST_TURN * Math.PI) / 180) found.push(bend)
    }
  }
  return found
}

/** Cuts at the deepest valley until no part has one. */
function splitAtValleys(values: Float64Array, from: number, to: number): Bend[] {
  const size = to - from + 1
  // What the car bends most up to each point, from either end.
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

/** Sum of what the car bends. */
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

/** Where before the turn the speed was highest, if it was higher than at it: braking belongs to the corner. */
function slowingFrom(speed: Float64Array | null, straightFrom: number, turn: number): number {
  if (speed === null) return turn
  let fastest = turn
  for (let i = turn; i >= straightFrom; i--) if (speed[i]! > speed[fastest]!) fastest = i
  return speed[fastest]! - speed[turn]! >= SLOWING_MPS ? fastest : turn
}

/** Less than a lift of the throttle, more than what a rising road takes. */
const SLOWING_MPS = 1

function apexOf(speed: Float64Array | null, values: Float64Array, from: number, to: number): number {
  if (speed !== null) {
    let slowest = from
    for (let i = from + 1; i <= to; i++) if (speed[i]! < speed[slowest]!) slowest = i
    // Slowest at its edge, it is on the way to or from another corner.
    if (slowest > from && slowest < to) return slowest
  }
  return mostBent(values, from, to)
}
