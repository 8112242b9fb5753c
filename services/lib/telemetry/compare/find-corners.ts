import { type Curvature, curvature } from './curvature.ts'
import type { LapTrack } from './lap-track.ts'

/** A corner of a track, as shares of the lap. Within 0..1: none lies across the line. */
export interface Corner {
  /** `Turn 1` is the first behind the line. */
  readonly name: string
  /** Where the car begins to slow for it, or, where it does not, to turn. */
  readonly startPct: number
  /** Where it is slowest; where it does not slow, or the speed is not known, where it bends most. */
  readonly apexPct: number
  /** Where it runs straight again. */
  readonly endPct: number
  readonly direction: 'left' | 'right'
}

/**
 * The corners of the lap a comparison is made with, in driving order and without overlap; none where
 * neither places nor steering tell how it bends. What is a corner depends on the road far more than
 * on who drives it, so that every lap of a track gives the same ones under the same names.
 */
export function findCorners(reference: LapTrack): readonly Corner[] {
  const bend = curvature(reference)
  if (bend === null) return []
  const last = bend.values.length - 1
  let end = 0
  return bends(bend).map(({ from, to }, index) => {
    const start = slowingFrom(reference.speed, end, from)
    const apex = apexOf(reference.speed, bend.values, from, to)
    end = to
    return {
      name: `Turn ${index + 1}`,
      startPct: start / last,
      apexPct: apex / last,
      endPct: end / last,
      direction: bend.values[mostBent(bend.values, from, to)]! > 0 ? 'left' : 'right',
    }
  })
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
function slowingFrom(speed: Float32Array | undefined, straightFrom: number, turn: number): number {
  if (speed === undefined) return turn
  let fastest = turn
  for (let i = turn; i >= straightFrom; i--) if (speed[i]! > speed[fastest]!) fastest = i
  return speed[fastest]! - speed[turn]! >= SLOWING_MPS ? fastest : turn
}

/** Less than a lift of the throttle, more than what a rising road takes. */
const SLOWING_MPS = 1

function apexOf(speed: Float32Array | undefined, values: Float64Array, from: number, to: number): number {
  if (speed !== undefined) {
    let slowest = from
    for (let i = from + 1; i <= to; i++) if (speed[i]! < speed[slowest]!) slowest = i
    // Slowest at its edge, it is on the way to or from another corner.
    if (slowest > from && slowest < to) return slowest
  }
  return mostBent(values, from, to)
}
