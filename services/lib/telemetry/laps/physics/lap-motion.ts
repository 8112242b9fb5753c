import type { ColumnValues } from '../../columns.ts'
import { M_PER_DEGREE, type Segment } from '../find-segments.ts'
import { type LapData, ROW } from '../lap-data.ts'

/**
 * Holds how a car moved through one lap, once by its sensors and once by its places and its speed.
 * Every series has one value a good row; sums begin with 0 at the first one. A series is null if
 * the file lacks a channel that it needs. Angles are radians to the left and do not leap.
 */
export interface LapMotion {
  readonly count: number
  /** The row of the file behind each value. */
  readonly row: Int32Array
  /** Metres from the first place. */
  readonly eastM: Float64Array | null
  readonly northM: Float64Array | null
  readonly timeS: Float64Array
  readonly speedMps: Float64Array | null
  /** Values from one row to another that is `window` rows on are compared over a sixth of a second. */
  readonly window: number
  /** The angle that the rate sensors add up to, banking taken out. */
  readonly turnedRad: Float64Array | null
  /** `Yaw`: where the car points. */
  readonly yawRad: Float64Array | null
  /** Where the car goes, by its places. */
  readonly courseRad: Float64Array | null
  /** What LongAccel adds up to in m/s, along the course, gravity and the angle of the car taken out. */
  readonly alongMps: Float64Array | null
  /** What LatAccel adds up to in m/s, banking taken out. */
  readonly acrossMps: Float64Array | null
  /** What the speed times the change of the course adds up to in m/s. */
  readonly bentMps: Float64Array | null
}

/** Returns how the car moved, or null if the lap has too few rows to say, or more than a lap can have. */
export function lapMotion(data: LapData, lap: LapRows): LapMotion | null {
  const all = usableRows(data, lap, false)
  const placed = usableRows(data, lap, true)
  const hasGround = placed.length >= LEAST_PLACED * all.length
  const row = hasGround ? placed : all
  const count = row.length
  if (count < LEAST_ROWS || count > MOST_ROWS) return null
  const { channel } = data
  const timeS = Float64Array.from(row, at => data.timeS[at]!)
  const stepS = (timeS[count - 1]! - timeS[0]!) / (count - 1)
  if (!(stepS > 0)) return null
  const halfOf = (seconds: number): number => Math.max(1, Math.round(seconds / stepS))

  const speedMps = picked(channel.Speed, row)
  const yawRad = unwrapped(picked(channel.Yaw, row))
  const ground = hasGround ? groundCourse(data, row, halfOf(COURSE_S), halfOf(SLOPE_S)) : null
  const courseRad = ground?.courseRad ?? null
  const rate = turnRates(data, row)
  const roll = picked(channel.Roll, row)
  const lateral = picked(channel.LatAccel, row)
  if (lateral !== null && roll !== null) {
    for (let i = 0; i < count; i++) {
      lateral[i] = (lateral[i]! - GRAVITY * Math.sin(roll[i]!)) / Math.max(LEAST_COSINE, Math.cos(roll[i]!))
    }
  }
  const turning = rate !== null && speedMps !== null ? rate.map((value, i) => value * speedMps[i]!) : null
  const slip = yawRad === null || courseRad === null ? null : slipAngles(yawRad, courseRad, turning, speedMps)
  // Without the angle of a slide, the sensors of an honest lap are off by up to a fifth.
  const along = slip === null ? null : picked(channel.LongAccel, row)
  const across = slip === null ? null : lateral
  if (along !== null && across !== null) turnToCourse(along, across, slip!)
  if (along !== null && ground?.slope) for (let i = 0; i < count; i++) along[i]! -= GRAVITY * ground.slope[i]!
  const acrossMps = summed(across, timeS)
  const alongMps = across === null ? null : summed(along, timeS)
  takeOutCrab(alongMps, acrossMps, speedMps, 2 * halfOf(WINDOW_S / 2))
  return {
    count,
    row,
    eastM: ground?.eastM ?? null,
    northM: ground?.northM ?? null,
    timeS,
    speedMps,
    window: 2 * halfOf(WINDOW_S / 2),
    turnedRad: summed(rate, timeS),
    yawRad,
    courseRad,
    alongMps,
    acrossMps,
    bentMps: courseRad !== null && speedMps !== null ? bent(courseRad, speedMps) : null,
  }
}

/** The rows of a lap, both ends included. */
export type LapRows = Pick<Segment, 'rowStart' | 'rowEnd'>

export const GRAVITY = 9.80665

/** Of a car that is on its side. */
const LEAST_COSINE = 0.5

/** Of a file without places, or with few of them, the sensors alone are compared. */
const LEAST_PLACED = 0.95

/** Two seconds at 60 Hz. */
const LEAST_ROWS = 120
/** More than an hour at 60 Hz. Nobody laps slower, and more rows would cost memory. */
const MOST_ROWS = 250_000
const WINDOW_S = 1 / 6
/** Half of the time over which a course and a slope are taken. */
const COURSE_S = 0.067
const SLOPE_S = 0.25

/** Good rows with a time of their own, and, if asked for, with a place. */
function usableRows(
  { kind, timeS, channel: { Lat: lat, Lon: lon } }: LapData,
  { rowStart, rowEnd }: LapRows,
  withPlace: boolean,
): Int32Array {
  if (withPlace && (lat === null || lon === null)) return new Int32Array(0)
  const rows = new Int32Array(rowEnd - rowStart + 1)
  let count = 0
  let beforeS = Number.NEGATIVE_INFINITY
  for (let row = rowStart; row <= rowEnd; row++) {
    if (kind[row] !== ROW.GOOD || !(timeS[row]! > beforeS)) continue
    if (withPlace && !hasPlace(lat![row]!, lon![row]!)) continue
    beforeS = timeS[row]!
    rows[count++] = row
  }
  return rows.subarray(0, count)
}

/** The values of the rows. One that is no finite number is bridged by the one before. */
function picked(values: ColumnValues | null, row: Int32Array): Float64Array | null {
  if (values === null) return null
  const result = new Float64Array(row.length)
  let before = 0
  for (let i = 0; i < row.length; i++) {
    const value = values[row[i]!]!
    if (value * 0 === 0) before = value
    result[i] = before
  }
  return result
}

/** Turns around the vertical axis of the earth: on a banked road YawRate and PitchRate share them. */
function turnRates({ channel }: LapData, row: Int32Array): Float64Array | null {
  const yawRate = picked(channel.YawRate, row)
  const roll = picked(channel.Roll, row)
  const pitchRate = picked(channel.PitchRate, row)
  if (yawRate === null || roll === null || pitchRate === null) return yawRate
  return yawRate.map((rate, i) => rate * Math.cos(roll[i]!) + pitchRate[i]! * Math.sin(roll[i]!))
}

/** In place, without the leaps of a whole turn. */
function unwrapped(angles: Float64Array | null): Float64Array | null {
  if (angles === null) return null
  let before = angles[0]!
  for (let i = 1; i < angles.length; i++) {
    const step = angles[i]! - before
    before = angles[i]!
    angles[i] = angles[i - 1]! + step - TURN * Math.round(step / TURN)
  }
  return angles
}

export const TURN = 2 * Math.PI

/** The places of the rows, and course and slope between places a few rows apart. */
function groundCourse(
  { channel: { Lat, Lon, Alt } }: LapData,
  row: Int32Array,
  halfCourse: number,
  halfSlope: number,
): {
  eastM: Float64Array
  northM: Float64Array
  courseRad: Float64Array
  slope: Float64Array | null
} {
  const count = row.length
  const lat = Lat![row[0]!]!
  const lon = Lon![row[0]!]!
  const eastPerDegree = M_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  const eastM = Float64Array.from(row, at => (Lon![at]! - lon) * eastPerDegree)
  const northM = Float64Array.from(row, at => (Lat![at]! - lat) * M_PER_DEGREE)
  const alt = picked(Alt, row)
  const courseRad = new Float64Array(count)
  const slope = alt === null ? null : new Float64Array(count)
  let course = 0
  for (let i = 0; i < count; i++) {
    const a = Math.max(0, i - halfCourse)
    const b = Math.min(count - 1, i + halfCourse)
    const x = eastM[b]! - eastM[a]!
    const y = northM[b]! - northM[a]!
    // A standing car keeps the course it had.
    if (x * x + y * y > LEAST_M * LEAST_M) course = Math.atan2(y, x)
    courseRad[i] = course
    if (slope === null) continue
    const c = Math.max(0, i - halfSlope)
    const d = Math.min(count - 1, i + halfSlope)
    const runM = Math.hypot(eastM[d]! - eastM[c]!, northM[d]! - northM[c]!)
    slope[i] = runM > 1 ? Math.max(-MAX_SLOPE, Math.min(MAX_SLOPE, (alt![d]! - alt![c]!) / runM)) : 0
  }
  return { eastM, northM, courseRad: unwrapped(courseRad)!, slope }
}

const MAX_SLOPE = 0.5
const LEAST_M = 0.3

/** Nought degrees north and east is what a file says that does not know. */
function hasPlace(lat: number, lon: number): boolean {
  return (lat !== 0 || lon !== 0) && (lat + lon) * 0 === 0
}

/**
 * The angle from where the car points to where it goes. `Yaw` and the course count from directions of
 * their own; on straights, where a car goes where it points, their difference shows by how much.
 */
function slipAngles(
  yawRad: Float64Array,
  courseRad: Float64Array,
  turning: Float64Array | null,
  speedMps: Float64Array | null,
): Float64Array | null {
  if (turning === null || speedMps === null) return null
  const isFast = (i: number): boolean => speedMps[i]! > STRAIGHT_MPS
  const isStraight = (i: number): boolean => isFast(i) && Math.abs(turning[i]!) < STRAIGHT_MPS2
  // First over all rows, then without those that slide, then on straights, as far as there are any.
  let offset = meanAside(yawRad, courseRad, 0, Math.PI, isFast)
  if (offset === null) return null
  for (const [most, counts] of [
    [0.4, isFast],
    [0.15, isFast],
    [0.15, isStraight],
  ] as const) {
    offset += meanAside(yawRad, courseRad, offset, most, counts) ?? 0
  }
  return yawRad.map((yaw, i) => courseRad[i]! - yaw - offset)
}

/** The mean angle from `Yaw` and an offset to the course, over rows that count and are at most so far off. */
function meanAside(
  yawRad: Float64Array,
  courseRad: Float64Array,
  offset: number,
  most: number,
  counts: (i: number) => boolean,
): number | null {
  let sine = 0
  let cosine = 0
  let rows = 0
  for (let i = 0; i < yawRad.length; i++) {
    const aside = courseRad[i]! - yawRad[i]! - offset
    if (Math.abs(aside - TURN * Math.round(aside / TURN)) > most || !counts(i)) continue
    sine += Math.sin(aside)
    cosine += Math.cos(aside)
    rows++
  }
  return rows < LEAST_STRAIGHT_ROWS ? null : Math.atan2(sine, cosine)
}

const STRAIGHT_MPS2 = 2
const STRAIGHT_MPS = 10
const LEAST_STRAIGHT_ROWS = 20

/** In place: from along and across the car, which slides, to along and across its course. */
function turnToCourse(along: Float64Array, across: Float64Array, slip: Float64Array): void {
  for (let i = 0; i < along.length; i++) {
    const sine = Math.sin(slip[i]!)
    const cosine = Math.cos(slip[i]!)
    const a = along[i]!
    along[i] = a * cosine + across[i]! * sine
    across[i] = across[i]! * cosine - a * sine
  }
}

/**
 * In place. A car of an oval points beside its course on straights, too, by up to 3 degrees, so that
 * what LongAccel adds up to has a part of the lateral acceleration left. It takes out that part.
 */
function takeOutCrab(
  along: Float64Array | null,
  across: Float64Array | null,
  speedMps: Float64Array | null,
  window: number,
): void {
  if (along === null || across === null || speedMps === null) return
  let shared = 0
  let square = 0
  for (let a = 0; a + window < along.length; a++) {
    const b = a + window
    const acrossMps = across[b]! - across[a]!
    shared += acrossMps * (along[b]! - along[a]! - (speedMps[b]! - speedMps[a]!))
    square += acrossMps * acrossMps
  }
  const crab = square > 0 ? Math.max(-MAX_CRAB, Math.min(MAX_CRAB, shared / square)) : 0
  for (let i = 0; i < along.length; i++) along[i]! -= crab * across[i]!
}

/** Radians. */
const MAX_CRAB = 0.1

/** The integral over time. */
function summed(rates: Float64Array | null, timeS: Float64Array): Float64Array | null {
  if (rates === null) return null
  const sums = new Float64Array(rates.length)
  for (let i = 1; i < rates.length; i++) {
    sums[i] = sums[i - 1]! + 0.5 * (rates[i - 1]! + rates[i]!) * (timeS[i]! - timeS[i - 1]!)
  }
  return sums
}

function bent(courseRad: Float64Array, speedMps: Float64Array): Float64Array {
  const sums = new Float64Array(courseRad.length)
  for (let i = 1; i < sums.length; i++) {
    sums[i] = sums[i - 1]! + 0.5 * (speedMps[i - 1]! + speedMps[i]!) * (courseRad[i]! - courseRad[i - 1]!)
  }
  return sums
}
