import type { LapTrack } from '../compare/lap-track.ts'
import { MINI_SECTORS } from '../compare/mini-sectors.ts'
import { M_PER_DEGREE } from '../laps/find-segments.ts'

/** A lap whose parts can join others: its speed and place are known. */
export type JoinableTrack = LapTrack &
  Required<Pick<LapTrack, 'speed' | 'lat' | 'lon'>> & { readonly lengthM: number }

export function isJoinable(track: LapTrack): track is JoinableTrack {
  return (
    track.lengthM !== null && track.speed !== undefined && track.lat !== undefined && track.lon !== undefined
  )
}

/** m/s between two laps at a seam: 2 km/h. */
export const MAX_SEAM_MPS = 2 / 3.6
/** Metres between their places. */
export const MAX_SEAM_M = 3

/** Returns whether two laps are near enough at a point to join. Unknown speeds and places join nothing. */
export function isNear(before: JoinableTrack, after: JoinableTrack, at: number): boolean {
  const mps = Math.abs(before.speed[at]! - after.speed[at]!)
  return mps <= MAX_SEAM_MPS && apartM(before, after, at) <= MAX_SEAM_M
}

interface Offset {
  readonly eastM: number
  readonly northM: number
}

function offsetOf(a: JoinableTrack, b: JoinableTrack, at: number): Offset {
  return {
    northM: (b.lat[at]! - a.lat[at]!) * M_PER_DEGREE,
    eastM: (b.lon[at]! - a.lon[at]!) * M_PER_DEGREE * Math.cos((a.lat[at]! * Math.PI) / 180),
  }
}

/** Returns the metres between the places of two laps at a point; NaN if one is unknown. */
export function apartM(a: JoinableTrack, b: JoinableTrack, at: number): number {
  const { eastM, northM } = offsetOf(a, b, at)
  return Math.hypot(eastM, northM)
}

/** Seconds before and after a seam in which the car moves from one line to the other. */
const MOVE_S = 1

/** Returns the points before and after a seam in which the car moves over: at most half of a mini-sector. */
export function moveHalf({ speed, lengthM }: JoinableTrack, at: number): number {
  const last = speed.length - 1
  const most = Math.floor(last / MINI_SECTORS / 2)
  return Math.max(1, Math.min(most, Math.round((MOVE_S * speed[at]! * last) / lengthM)))
}

/** What a lap asks of the tyres at each point, m/s². */
export interface Load {
  readonly across: Float32Array
  readonly along: Float32Array
}

/** Metres over which the course and the speed change. */
const OVER_M = 8

export function loadOf({ lat, lon, speed, lengthM }: JoinableTrack): Load {
  const last = speed.length - 1
  const over = Math.max(1, Math.round((OVER_M * last) / lengthM))
  const perLon = Math.cos((lat[0]! * Math.PI) / 180)
  const courseAt = (a: number, b: number): number =>
    Math.atan2(lat[b]! - lat[a]!, (lon[b]! - lon[a]!) * perLon)
  const overM = (over * lengthM) / last
  const across = new Float32Array(last + 1)
  const along = new Float32Array(last + 1)
  for (let i = 0; i <= last; i++) {
    const middle = Math.min(last - over, Math.max(over, i))
    const turn = courseAt(middle, middle + over) - courseAt(middle - over, middle)
    const [before, after] = [speed[middle - over]!, speed[middle + over]!]
    across[i] = (Math.atan2(Math.sin(turn), Math.cos(turn)) / overM) * speed[i]! ** 2
    along[i] = (after * after - before * before) / (4 * overM)
  }
  return { across, along }
}

/** m/s of each step of the grip. */
const STEP_MPS = 2

/** Returns the most that laps ask of the tyres, by the speed in steps: downforce gives a fast car more. */
export function gripOf(laps: readonly JoinableTrack[], loads: readonly Load[]): Float64Array {
  const grip = new Float64Array(Math.ceil(150 / STEP_MPS))
  laps.forEach(({ speed }, lap) => {
    const { across, along } = loads[lap]!
    for (let i = 0; i < speed.length; i++) {
      const step = Math.min(grip.length - 1, Math.floor(speed[i]! / STEP_MPS))
      const load = Math.hypot(across[i]!, along[i]!)
      if (load > grip[step]!) grip[step] = load
    }
  })
  for (let step = 1; step < grip.length; step++) grip[step] = Math.max(grip[step]!, grip[step - 1]!)
  return grip
}

/** Share of the grip that a car can use for moving over. */
const SPARE = 0.8
/** Share by which a move may ask more than the lap itself, if that is at the limit. */
const MORE = 1.005
/** Points between those that are looked at. */
const EVERY = 4

/** Returns whether the tyres have the grip to move from line to line at a seam, beside what the laps ask of them. */
export function canMove(
  [before, after]: readonly [JoinableTrack, JoinableTrack],
  [loadBefore, loadAfter]: readonly [Load, Load],
  at: number,
  grip: Float64Array,
): boolean {
  const half = moveHalf(before, at)
  const [from, to] = [at - half, at + half]
  const lengthM = (2 * half * before.lengthM) / (before.speed.length - 1)
  const [first, last] = [offsetOf(before, after, from), offsetOf(before, after, to)]
  const turnedM = Math.hypot(last.eastM - first.eastM, last.northM - first.northM)
  // The bend of a smooth step from line to line, and of lines that come from two directions.
  const bend = (6 * apartM(before, after, at) + 3 * turnedM) / lengthM ** 2
  for (let i = from; i <= to; i += EVERY) {
    const { across, along } = i < at ? loadBefore : loadAfter
    const { speed } = i < at ? before : after
    const used = Math.hypot(across[i]!, along[i]!)
    const asked = Math.hypot(Math.abs(across[i]!) + bend * speed[i]! ** 2, along[i]!)
    const most = grip[Math.min(grip.length - 1, Math.floor(speed[i]! / STEP_MPS))]!
    if (!(asked <= Math.max(MORE * used, SPARE * most))) return false
  }
  return true
}
