import type { LapTrack } from '../compare/lap-track.ts'
import { M_PER_DEGREE } from '../laps/find-segments.ts'
import { smooth } from '../smooth.ts'

/** How a lap bends at each of its points. */
export interface Curvature {
  /** 1/m, positive to the left; smoothed. */
  readonly values: Float64Array
  /** Metres from point to point. */
  readonly stepM: number
  /** False if the values come from the steering, which is less exact. */
  readonly isFromPositions: boolean
}

/** Returns the curvature from the car's positions, or from the steering if it has none; null without both. */
export function curvature(track: LapTrack): Curvature | null {
  return fromPositions(track) ?? fromSteering(track)
}

/**
 * Metres over which a bend is averaged. A corner is longer than this; a steering correction or a lane change
 * is shorter. With less, the bumps in a long corner would look like several corners.
 */
const SMOOTH_M = 12

/**
 * Metres between the positions that give a heading. The same length is left out at both ends, because values
 * at the line mix rows from before and after it.
 */
const BASE_M = 4

function fromPositions({ lat, lon, lengthM }: LapTrack): Curvature | null {
  if (lat === undefined || lon === undefined) return null
  const points = lat.length
  const eastPerDegree = M_PER_DEGREE * Math.cos((lat[0]! * Math.PI) / 180)
  let pathM = 0
  for (let i = 1; i < points; i++) {
    const north = (lat[i]! - lat[i - 1]!) * M_PER_DEGREE
    const east = (lon[i]! - lon[i - 1]!) * eastPerDegree
    pathM += Math.sqrt(north * north + east * east)
  }
  // A NaN at any point makes the sum NaN.
  if (!(pathM > 0) || !Number.isFinite(pathM)) return null
  const stepM = (lengthM ?? pathM) / (points - 1)
  const base = Math.max(1, Math.round(BASE_M / stepM))

  const turn = new Float64Array(points)
  let heading = Number.NaN
  for (let i = base; i + 2 * base < points; i++) {
    const north = (lat[i + base]! - lat[i]!) * M_PER_DEGREE
    const east = (lon[i + base]! - lon[i]!) * eastPerDegree
    // A car that does not move keeps its last heading.
    if (Math.sqrt(north * north + east * east) < 0.1 * base * stepM) continue
    const next = Math.atan2(north, east)
    if (!Number.isNaN(heading)) turn[i + (base >> 1)] = shortWay(next - heading) / stepM
    heading = next
  }
  return { values: smoothOver(turn, SMOOTH_M, stepM), stepM, isFromPositions: true }
}

function shortWay(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
}

/**
 * Returns the curvature from the steering. A steering angle bends the path by a factor that depends on the
 * car. A lap returns to its first heading, so all bends together are a full turn, which gives the factor. On
 * a figure of eight they cancel out, so the factor of a common car is used.
 */
function fromSteering({ steering, lengthM }: LapTrack): Curvature | null {
  if (steering === undefined || lengthM === null) return null
  const points = steering.length
  const stepM = lengthM / (points - 1)
  let turned = 0
  let turnedEitherWay = 0
  for (let i = 0; i < points; i++) {
    turned += steering[i]! * stepM
    turnedEitherWay += Math.abs(steering[i]!) * stepM
  }
  if (!(turnedEitherWay > 0) || !Number.isFinite(turnedEitherWay)) return null
  const isFullTurn = Math.abs(turned) > FULL_TURN_SHARE * turnedEitherWay
  const radiusPerRad = isFullTurn ? Math.abs(turned) / (2 * Math.PI) : COMMON_RADIUS_M
  const bends = new Float64Array(steering).map(angle => angle / radiusPerRad)
  return { values: smoothOver(bends, SMOOTH_STEERING_M, stepM), stepM, isFromPositions: false }
}

/** Steering moves more than the path of the car. */
const SMOOTH_STEERING_M = 20

function smoothOver(values: Float64Array, overM: number, stepM: number): Float64Array {
  const half = Math.round(overM / stepM)
  return smooth(values, Math.min(values.length >> 2, Math.max(1, half)), false)
}

/**
 * On a figure of eight up to a tenth of the steering may be one-sided; on other tracks at least a quarter is.
 */
const FULL_TURN_SHARE = 0.15
/** Wheelbase of 2.6 m and a steering ratio of 13. */
const COMMON_RADIUS_M = 34
