import type { ColumnValues } from '../../columns.ts'
import { M_PER_DEGREE, type Segment } from '../find-segments.ts'
import { type LapData, ROW } from '../lap-data.ts'

/**
 * How a car moved through one lap, by its sensors and by its positions and speed. The sensors are summed row
 * by row. The rules compare the sums at nodes, about ten a second. Every series has one value for each node;
 * sums begin with 0 at the first one. A series is null if the file lacks a channel that it needs. Angles are
 * radians to the left, without leaps.
 */
export interface LapMotion {
  readonly count: number
  /** The row of the file at each node. */
  readonly row: Int32Array
  readonly timeS: Float64Array
  readonly speedMps: Float64Array | null
  /** The sum of the turn rates, without the effect of banking. */
  readonly turnedRad: Float64Array | null
  /** The part of that angle at which a rate jumps from one row to the next: half of it may be wrong. */
  readonly jumpedRad: number
  /** `Yaw`: the direction in which the car points. */
  readonly yawRad: Float64Array | null
  /** The direction in which the car goes, by its positions. */
  readonly courseRad: Float64Array | null
  /** The sum of LongAccel in m/s, along the course, without gravity and slip angle. */
  readonly alongMps: Float64Array | null
  /** The sum of LatAccel in m/s, across the course, without banking. */
  readonly acrossMps: Float64Array | null
  /** The sum of the speed times the change of the course, in m/s. */
  readonly bentMps: Float64Array | null
}

/** The rows of a lap, both ends included. */
export type LapRows = Pick<Segment, 'rowStart' | 'rowEnd'>

/**
 * Returns how the car moved, or null if the lap has too few rows, or more than a lap can have. Keeps the motion
 * of each lap for the next call with the same `data`, which must not change.
 */
export function motionOf(data: LapData, lap: LapRows): LapMotion | null {
  const key = `${lap.rowStart}-${lap.rowEnd}`
  const known = motions.get(data) ?? new Map<string, LapMotion | null>()
  if (!known.has(key)) motions.set(data, known.set(key, lapMotion(data, lap)))
  return known.get(key)!
}

const motions = new WeakMap<LapData, Map<string, LapMotion | null>>()

function lapMotion(data: LapData, lap: LapRows): LapMotion | null {
  const rows = lap.rowEnd - lap.rowStart + 1
  if (rows < MIN_ROWS || rows > MAX_ROWS) return null
  const located = sumSensors(data, lap, true)
  const mayHavePositions = data.channel.Lat !== null && data.channel.Lon !== null
  const sensed = located.hasPositions || !mayHavePositions ? located : sumSensors(data, lap, false)
  const { count, row, timeS, yawRad, turnedRad, alongMps, acrossMps } = sensed
  if (count < MIN_NODES) return null
  const { Speed } = data.channel
  const speedMps = Speed === null ? null : atNodes(Speed, row)
  const ground = sensed.hasPositions ? groundCourse(data, row) : null
  const courseRad = ground?.courseRad ?? null
  const bentMps = courseRad !== null && speedMps !== null ? sumBends(courseRad, speedMps) : null
  // Without the slip angle, the sensors of an honest lap are off by up to a fifth.
  const slip = bentMps === null || yawRad === null ? null : slipAngles(yawRad, courseRad!, sensed, speedMps!)
  const isTurned = slip !== null && alongMps !== null && acrossMps !== null
  if (isTurned) {
    turnToCourse(alongMps, acrossMps, slip)
    if (ground!.slope !== null) removeGravity(alongMps, ground!.slope, timeS)
    removeCrab(alongMps, acrossMps, speedMps!)
  }
  return {
    count,
    row,
    timeS,
    speedMps,
    turnedRad,
    jumpedRad: sensed.jumpedRad,
    yawRad,
    courseRad,
    alongMps: isTurned ? alongMps : null,
    acrossMps: isTurned ? acrossMps : null,
    bentMps,
  }
}

export const GRAVITY = 9.80665
export const TURN = 2 * Math.PI

/** Two seconds at 60 Hz. */
const MIN_ROWS = 120
const MIN_NODES = 20
/** More than an hour at 60 Hz. No lap is slower, and more rows would cost memory. */
const MAX_ROWS = 250_000
/** Seconds from node to node. */
const NODE_S = 0.1
/** Share of the rows of a lap; if more have no position, only the sensors are compared. */
const MAX_UNKNOWN_POSITIONS = 0.05
/** Radians a second over two rows. Recorded laps without contact: 0.6. */
const CONTACT_RPS = 1.2

interface Sensed {
  readonly count: number
  readonly row: Int32Array
  readonly timeS: Float64Array
  readonly hasPositions: boolean
  readonly yawRad: Float64Array | null
  readonly turnedRad: Float64Array | null
  readonly jumpedRad: number
  /** Along and across the car. */
  readonly alongMps: Float64Array | null
  readonly acrossMps: Float64Array | null
}

/**
 * Sums the sensors over all good rows in one pass, and records the sums at the nodes. Each node has a position
 * if `withPositions`; if many rows have none, the result has no positions.
 */
function sumSensors(data: LapData, { rowStart, rowEnd }: LapRows, withPositions: boolean): Sensed {
  const { kind, timeS: times, channel } = data
  const { Yaw, YawRate, PitchRate, Roll, LatAccel, LongAccel, Lat, Lon } = channel
  // A missing channel is replaced by zeros, so that one loop serves all files. Floats, because a second kind
  // of array would make the loop ten times slower.
  const none = new Float32Array(rowEnd + 1)
  const lat = Lat ?? none
  const lon = Lon ?? none
  const usesPositions = withPositions && Lat !== null && Lon !== null
  const yaws = Yaw ?? none
  const rates = YawRate ?? none
  const pitches = PitchRate ?? none
  const rolls = Roll ?? none
  const alongs = LongAccel ?? none
  const acrosses = LatAccel ?? none
  const isBanked = Roll !== null && PitchRate !== null
  const perNode = Math.max(
    1,
    Math.round((NODE_S * (rowEnd - rowStart)) / (times[rowEnd]! - times[rowStart]!)) || 1,
  )
  const most = Math.floor((rowEnd - rowStart) / perNode) + 1
  const row = new Int32Array(most)
  const timeS = new Float64Array(most)
  const yawRad = new Float64Array(most)
  const turnedRad = new Float64Array(most)
  const alongMps = new Float64Array(most)
  const acrossMps = new Float64Array(most)

  let count = 0
  let untilNode = 0
  let missing = 0
  let beforeS = Number.NEGATIVE_INFINITY
  let yaw = 0
  let rate = 0
  let rateBefore = 0
  let along = 0
  let across = 0
  let yawSum = 0
  let turned = 0
  let alongSum = 0
  let acrossSum = 0
  let jumpedRad = 0
  for (let r = rowStart; r <= rowEnd; r++) {
    const atS = times[r]!
    if (kind[r] !== ROW.GOOD || !(atS > beforeS)) continue
    const isNode = !usesPositions || isPosition(lat[r]!, lon[r]!)
    if (!isNode) {
      missing++
      // Sums begin at the first node.
      if (count === 0) continue
    }
    // A value that is no finite number (times 0 it is not 0) is replaced by the one before.
    let nowYaw = yaws[r]!
    let nowRate = rates[r]!
    let nowAlong = alongs[r]!
    let nowAcross = acrosses[r]!
    const roll = rolls[r]!
    const square = roll * roll
    if (square < 0.36) {
      // Series exact to a millionth, and many times as fast as the library's functions.
      const sine = roll * (1 - (square / 6) * (1 - square / 20))
      const cosine = 1 - (square / 2) * (1 - (square / 12) * (1 - square / 30))
      // On a banked road YawRate and PitchRate share the turn around Earth's vertical axis.
      if (isBanked) nowRate = nowRate * cosine + pitches[r]! * sine
      nowAcross = (nowAcross - GRAVITY * sine) / cosine
    }
    if (nowYaw * 0 !== 0) nowYaw = yaw
    if (nowRate * 0 !== 0) nowRate = rate
    if (nowAlong * 0 !== 0) nowAlong = along
    if (nowAcross * 0 !== 0) nowAcross = across
    if (count === 0) {
      yawSum = nowYaw
      rateBefore = nowRate
    } else {
      const half = 0.5 * (atS - beforeS)
      let step = nowYaw - yaw
      if (step > Math.PI || step < -Math.PI) step -= TURN * Math.round(step / TURN)
      yawSum += step
      turned += half * (rate + nowRate)
      alongSum += half * (along + nowAlong)
      acrossSum += half * (across + nowAcross)
      const jump = nowRate - rateBefore
      if (jump > CONTACT_RPS || jump < -CONTACT_RPS) jumpedRad += half * Math.abs(jump)
      rateBefore = rate
    }
    yaw = nowYaw
    rate = nowRate
    along = nowAlong
    across = nowAcross
    beforeS = atS
    if (untilNode-- > 0 || !isNode) continue
    untilNode = perNode - 1
    row[count] = r
    timeS[count] = atS
    yawRad[count] = yawSum
    turnedRad[count] = turned
    alongMps[count] = alongSum
    acrossMps[count] = acrossSum
    count++
  }
  return {
    count,
    row: row.subarray(0, count),
    timeS: timeS.subarray(0, count),
    hasPositions: usesPositions && missing <= MAX_UNKNOWN_POSITIONS * (rowEnd - rowStart),
    yawRad: Yaw === null ? null : yawRad.subarray(0, count),
    turnedRad: YawRate === null ? null : turnedRad.subarray(0, count),
    jumpedRad,
    alongMps: LongAccel === null ? null : alongMps.subarray(0, count),
    acrossMps: LatAccel === null ? null : acrossMps.subarray(0, count),
  }
}

function atNodes(values: ColumnValues, row: Int32Array): Float64Array {
  const result = new Float64Array(row.length)
  for (let i = 0; i < row.length; i++) {
    const value = values[row[i]!]!
    result[i] = value * 0 === 0 ? value : 0
  }
  return result
}

/** Exact to a millionth up to half a radian, and many times as fast as the library's. */
function sin(angle: number): number {
  if (angle > 0.6 || angle < -0.6) return Math.sin(angle)
  const square = angle * angle
  return angle * (1 - (square / 6) * (1 - (square / 20) * (1 - square / 42)))
}

function cos(angle: number): number {
  if (angle > 0.6 || angle < -0.6) return Math.cos(angle)
  const square = angle * angle
  return 1 - (square / 2) * (1 - (square / 12) * (1 - square / 30))
}

/**
 * Returns false for 0° north 0° east, which a file has for an unknown position, and for non-finite values.
 */
export function isPosition(lat: number, lon: number): boolean {
  return (lat !== 0 || lon !== 0) && (lat + lon) * 0 === 0
}

/** Removes leaps of a whole turn, in place. */
function unwrap(angles: Float64Array): void {
  let before = angles[0]!
  for (let i = 1; i < angles.length; i++) {
    const step = angles[i]! - before
    before = angles[i]!
    angles[i] = angles[i - 1]! + step - TURN * Math.round(step / TURN)
  }
}

/** Returns course and slope at each node, measured between its two neighbours. */
function groundCourse(
  { channel: { Lat, Lon, Alt: alt } }: LapData,
  row: Int32Array,
): { courseRad: Float64Array; slope: Float64Array | null } {
  const lat = Lat!
  const lon = Lon!
  const count = row.length
  const eastPerDegree = M_PER_DEGREE * Math.cos((lat[row[0]!]! * Math.PI) / 180)
  const courseRad = new Float64Array(count)
  const slope = alt === null ? null : new Float64Array(count)
  let course = 0
  for (let i = 0; i < count; i++) {
    const a = row[Math.max(0, i - 1)]!
    const b = row[Math.min(count - 1, i + 1)]!
    const x = (lon[b]! - lon[a]!) * eastPerDegree
    const y = (lat[b]! - lat[a]!) * M_PER_DEGREE
    const square = x * x + y * y
    // A car that does not move has the course of the node before.
    if (square > MIN_STEP_M * MIN_STEP_M) course = Math.atan2(y, x)
    courseRad[i] = course
    if (slope === null || square < 1) continue
    const rise = (alt![b]! - alt![a]!) / Math.sqrt(square)
    slope[i] = rise * 0 === 0 ? Math.max(-MAX_SLOPE, Math.min(MAX_SLOPE, rise)) : 0
  }
  unwrap(courseRad)
  return { courseRad, slope }
}

const MIN_STEP_M = 0.3
const MAX_SLOPE = 0.5

function sumBends(courseRad: Float64Array, speedMps: Float64Array): Float64Array {
  const sums = new Float64Array(courseRad.length)
  for (let i = 1; i < sums.length; i++) {
    sums[i] = sums[i - 1]! + 0.5 * (speedMps[i - 1]! + speedMps[i]!) * (courseRad[i]! - courseRad[i - 1]!)
  }
  return sums
}

/**
 * Returns the angles from the car's heading to its course; null if too few nodes are fast enough. `Yaw` and
 * the course count from different directions. On straights a car goes where it points, so their difference
 * there is the offset. The offset is estimated in passes: over all nodes, without sliding nodes, then on
 * straights if there are enough of them.
 */
function slipAngles(
  yawRad: Float64Array,
  courseRad: Float64Array,
  { timeS }: Sensed,
  speedMps: Float64Array,
): Float64Array | null {
  let offset = 0
  for (const [most, mostMps2] of PASSES) {
    let sine = 0
    let cosine = 0
    let nodes = 0
    for (let i = 1; i < yawRad.length; i++) {
      if (!(speedMps[i]! > STRAIGHT_MPS)) continue
      const bend = (speedMps[i]! * (courseRad[i]! - courseRad[i - 1]!)) / (timeS[i]! - timeS[i - 1]!)
      if (!(Math.abs(bend) < mostMps2)) continue
      const aside = courseRad[i]! - yawRad[i]! - offset
      const wrapped = aside - TURN * Math.round(aside / TURN)
      if (Math.abs(wrapped) > most) continue
      // Small angles are added directly.
      sine += most > 1 ? Math.sin(wrapped) : wrapped
      cosine += most > 1 ? Math.cos(wrapped) : 1
      nodes++
    }
    if (nodes >= MIN_STRAIGHT_NODES) offset += Math.atan2(sine, cosine)
    else if (most === Math.PI) return null
  }
  return yawRad.map((yaw, i) => courseRad[i]! - yaw - offset)
}

/** For each pass: largest angle of a node in radians, and largest lateral acceleration in m/s². */
const PASSES = [
  [Math.PI, Number.POSITIVE_INFINITY],
  [0.4, Number.POSITIVE_INFINITY],
  [0.15, Number.POSITIVE_INFINITY],
  [0.15, 2],
] as const
const STRAIGHT_MPS = 10
const MIN_STRAIGHT_NODES = 10

/** Rotates along and across from the axes of the car, which slides, to those of its course, in place. */
function turnToCourse(along: Float64Array, across: Float64Array, slip: Float64Array): void {
  let alongBefore = along[0]!
  let acrossBefore = across[0]!
  for (let i = 1; i < along.length; i++) {
    const angle = 0.5 * (slip[i - 1]! + slip[i]!)
    const sine = sin(angle)
    const cosine = cos(angle)
    const a = along[i]! - alongBefore
    const b = across[i]! - acrossBefore
    alongBefore = along[i]!
    acrossBefore = across[i]!
    along[i] = along[i - 1]! + a * cosine + b * sine
    across[i] = across[i - 1]! + b * cosine - a * sine
  }
}

function removeGravity(along: Float64Array, slope: Float64Array, timeS: Float64Array): void {
  let fallen = 0
  for (let i = 1; i < along.length; i++) {
    fallen += 0.5 * GRAVITY * (slope[i - 1]! + slope[i]!) * (timeS[i]! - timeS[i - 1]!)
    along[i]! -= fallen
  }
}

/**
 * Removes the part of the lateral acceleration that is left in LongAccel, in place. On straights too, a car
 * on an oval points up to 3 degrees beside its course.
 */
function removeCrab(along: Float64Array, across: Float64Array, speedMps: Float64Array): void {
  let shared = 0
  let square = 0
  for (let b = 2; b < along.length; b++) {
    const acrossMps = across[b]! - across[b - 2]!
    shared += acrossMps * (along[b]! - along[b - 2]! - (speedMps[b]! - speedMps[b - 2]!))
    square += acrossMps * acrossMps
  }
  const crab = square > 0 ? Math.max(-MAX_CRAB, Math.min(MAX_CRAB, shared / square)) : 0
  for (let i = 0; i < along.length; i++) along[i]! -= crab * across[i]!
}

/** Radians. */
const MAX_CRAB = 0.1
