import type { ColumnValues } from '../../columns.ts'
import { M_PER_DEGREE } from '../find-segments.ts'
import { type LapData, ROW } from '../lap-data.ts'
import { isPosition, type LapRows, TURN } from './lap-motion.ts'
import type { PhysicsCase } from './physics-case.ts'

/**
 * Finds a step from one row to the next of 1.5 m sideways from the way before and after it. No car does that
 * in a tick: two laps were joined there.
 *
 * Error in recorded laps: 1.5 cm, and 3.7 cm in contact with a wall.
 */
export function jumpsAside(lap: PhysicsCase): boolean {
  return mayJump(lap) && hasStep(lap, step => step.asideM > MAX_ASIDE_M + step.slackM)
}

const MAX_ASIDE_M = 1.5

/**
 * Returns true if a value that can only change gradually jumped inside the lap. Speed and rates can jump in
 * contact; the position, the angle of the car, its fuel, its tyres and the time of day cannot. `slow` are the columns
 * of `REVIEW_CHANNELS` that the file has. The positions of a joker lap are not judged here, but by `jumpsAside`: on its
 * own road they are less exact. Everything else is, or one flagged row would hide a join.
 */
export function hasJoin(
  lap: PhysicsCase,
  slow: ReadonlyMap<ReviewChannel, ColumnValues>,
  isJoker: boolean,
): boolean {
  const mostAsideM = isJoker ? MAX_ASIDE_M : SOFT_ASIDE_M
  return (
    hasStep(lap, ({ asideM, yawRad, slackM, slackRad }) => {
      return asideM > mostAsideM + slackM || yawRad > MAX_YAW_RAD + slackRad
    }) ||
    (lap.data.lacksPositions && turnsUnplaced(lap)) ||
    REVIEW_CHANNELS.some(name => changesTooFast(lap, slow.get(name), MAX_CHANGE_PER_S[name]))
  )
}

/** Recorded laps: 0.015 m, in contact 0.037 m. */
const SOFT_ASIDE_M = 0.05
/** Recorded laps: 0.0014 rad, in contact 0.0027 rad. */
const MAX_YAW_RAD = 0.004

/** Largest change of each in a second. Recorded laps: under half of it. */
const MAX_CHANGE_PER_S = {
  /** Litres: a large engine burns 0.06. */
  FuelLevel: 0.25,
  /** Kelvin. */
  WaterTemp: 8,
  OilTemp: 4,
  /** kPa. */
  LFpressure: 3,
  /** Kelvin, and share of the tread. The simulator changes both in the pits only. */
  LFtempCM: 30,
  LFwearM: 0.6,
  /** Seconds of the track's day. It shows whole seconds, and a session can run it up to 60 times faster. */
  SessionTimeOfDay: 150,
} as const

/** The channels that only `findSoftContradictions` reads, in any order. A file may lack any of them. */
export const REVIEW_CHANNELS = Object.keys(MAX_CHANGE_PER_S) as readonly ReviewChannel[]

export type ReviewChannel = keyof typeof MAX_CHANGE_PER_S

/**
 * The part of a step between two rows that motion does not explain, and how much of it contact can explain.
 */
interface Step {
  readonly asideM: number
  readonly yawRad: number
  readonly slackM: number
  readonly slackRad: number
}

/** Returns true if two neighbouring rows with a position have a step that passes `test`. */
function hasStep({ data, rows }: PhysicsCase, test: (step: Step) => boolean): boolean {
  const { Lat: lat, Lon: lon, Yaw: yaw, YawRate: rate } = data.channel
  if (lat === null || lon === null) return false
  const places = placesOf(data, rows, lat, lon)
  const { count, row, timeS, eastM, northM } = places
  const rateHz = (count - 1) / (timeS[count - 1]! - timeS[0]!)
  const around = Math.min(MAX_AROUND, Math.max(MIN_AROUND, Math.round(AROUND_S * rateHz)))
  for (let i = around; i + 1 + around < count; i++) {
    const j = i + 1
    const seconds = timeS[j]! - timeS[i]!
    const isGap = seconds > MAX_STEP_S
    const beforeS = timeS[i]! - timeS[i - around]!
    const beforeE = (eastM[i]! - eastM[i - around]!) / beforeS
    const beforeN = (northM[i]! - northM[i - around]!) / beforeS
    const afterS = timeS[j + around]! - timeS[j]!
    const afterE = (eastM[j + around]! - eastM[j]!) / afterS
    const afterN = (northM[j + around]! - northM[j]!) / afterS
    const wayE = 0.5 * (beforeE + afterE)
    const wayN = 0.5 * (beforeN + afterN)
    const square = wayE * wayE + wayN * wayN
    if (square < MIN_MPS * MIN_MPS) continue
    const moreE = eastM[j]! - eastM[i]! - wayE * seconds
    const moreN = northM[j]! - northM[i]! - wayN * seconds
    const aside = moreE * wayN - moreN * wayE
    let errorRad = 0
    if (yaw !== null && rate !== null && !isGap) {
      errorRad = stepError(yaw, rate, row[i]!, row[j]!, seconds)
    }
    // Nearly every step ends here: neither test finds a smaller one.
    const isAside = aside * aside > SOFT_ASIDE_M * SOFT_ASIDE_M * square
    const isTurned = errorRad > MAX_YAW_RAD || errorRad < -MAX_YAW_RAD
    if (!isAside && !isTurned) continue

    const bendE = afterE - beforeE
    const bendN = afterN - beforeN
    const gapM = isGap ? GAP_MPS2 * seconds * seconds : 0
    const slackM = CONTACT * Math.sqrt(bendE * bendE + bendN * bendN) * seconds + gapM
    // A position too far ahead can mean missing ticks, in which the car turned as well. Or it follows a
    // position that was late by a tick, while the angle was not late.
    const hiddenS = (moreE * wayE + moreN * wayN) / square
    const turn = isTurned
      ? turnStep(places, yaw!, rate!, { i, around, errorRad, seconds, hiddenS })
      : { yawRad: 0, slackRad: 0 }
    if (test({ asideM: Math.abs(aside) / Math.sqrt(square), slackM, ...turn })) return true
  }
  return false
}

/** Returns true if the car's angle jumped next to a row without a position, which `hasStep` does not read. */
function turnsUnplaced({ data, rows: { rowStart, rowEnd } }: PhysicsCase): boolean {
  const { kind, timeS: times, channel, tickS } = data
  const { Lat: lat, Yaw: yaw, YawRate: rate } = channel
  if (lat === null || yaw === null || rate === null) return false
  const row: number[] = []
  for (let r = rowStart; r <= rowEnd; r++) {
    if (kind[r] === ROW.GOOD && (row.length === 0 || times[r]! > times[row.at(-1)!]!)) row.push(r)
  }
  const timeS = row.map(r => times[r]!)
  return row.some((r, j) => {
    const i = j - 1
    if (i < MIN_AROUND || j + MIN_AROUND >= row.length) return false
    const isPlaced = !Number.isNaN(lat[row[i]!]!) && !Number.isNaN(lat[r]!)
    const seconds = timeS[j]! - timeS[i]!
    if (isPlaced || seconds > MAX_STEP_S) return false
    const errorRad = stepError(yaw, rate, row[i]!, r, seconds)
    if (!(Math.abs(errorRad) > MAX_YAW_RAD)) return false
    // In a recorded lap one tick was missing, in which the car turned.
    const step = { i, around: MIN_AROUND, errorRad, seconds, hiddenS: tickS }
    const { yawRad, slackRad } = turnStep({ row, timeS }, yaw, rate, step)
    return yawRad > MAX_YAW_RAD + slackRad
  })
}

/** Returns the radians, with their sign, by which Yaw and YawRate differ between two neighbouring rows. */
function stepError(yaw: ColumnValues, rate: ColumnValues, from: number, to: number, seconds: number): number {
  const leap = yaw[to]! - yaw[from]!
  const turned = leap > Math.PI || leap < -Math.PI ? leap - TURN * Math.round(leap / TURN) : leap
  return turned - 0.5 * (rate[from]! + rate[to]!) * seconds
}

/** The rows that a step is searched in, and their times. */
interface StepRows {
  readonly row: ArrayLike<number>
  readonly timeS: ArrayLike<number>
}

/** Returns the part of a turn from row `i` to the next one that the rates do not explain. */
function turnStep(
  places: StepRows,
  yaw: ColumnValues,
  rate: ColumnValues,
  step: Readonly<Record<'i' | 'around' | 'errorRad' | 'seconds' | 'hiddenS', number>>,
): Pick<Step, 'yawRad' | 'slackRad'> {
  const { row } = places
  const { i, around, errorRad, seconds, hiddenS } = step
  const j = i + 1
  const rateA = rate[row[i]!]!
  const rateB = rate[row[j]!]!
  const yawRad = Math.min(Math.abs(errorRad), Math.abs(errorRad - 0.5 * (rateA + rateB) * hiddenS))
  const nearby = Math.abs(rateA - rate[row[i - 1]!]!) + Math.abs(rate[row[j + 1]!]! - rateB)
  const slackRad = CONTACT * (Math.abs(rateB - rateA) + nearby) * (seconds + Math.abs(hiddenS))
  // In a file with another rate, rows between +180 and -180 degrees can have any angle.
  const lastingRad = Math.min(
    yawError(places, yaw, rate, i - around, j + around),
    yawError(places, yaw, rate, i - (around >> 1), j + (around >> 1)),
  )
  return { yawRad: lastingRad < yawRad / 2 ? 0 : yawRad, slackRad }
}

/** Returns the radians by which Yaw and the sum of YawRate differ between two rows. */
function yawError(
  { row, timeS }: StepRows,
  yaw: ColumnValues,
  rate: ColumnValues,
  from: number,
  to: number,
): number {
  let turned = yaw[row[to]!]! - yaw[row[from]!]!
  for (let i = from + 1; i <= to; i++) {
    turned -= 0.5 * (rate[row[i - 1]!]! + rate[row[i]!]!) * (timeS[i]! - timeS[i - 1]!)
  }
  return Math.abs(turned - TURN * Math.round(turned / TURN))
}

/**
 * Returns the good rows with a position and a later time than the row before. Positions are metres east and
 * north of the first of them.
 */
function placesOf(
  { kind, timeS: times }: LapData,
  { rowStart, rowEnd }: LapRows,
  lat: ColumnValues,
  lon: ColumnValues,
) {
  const most = rowEnd - rowStart + 1
  const row = new Int32Array(most)
  const timeS = new Float64Array(most)
  const eastM = new Float64Array(most)
  const northM = new Float64Array(most)
  let count = 0
  let beforeS = Number.NEGATIVE_INFINITY
  let eastPerDegree = 0
  for (let r = rowStart; r <= rowEnd; r++) {
    if (kind[r] !== ROW.GOOD || !(times[r]! > beforeS) || !isPosition(lat[r]!, lon[r]!)) continue
    beforeS = times[r]!
    if (count === 0) eastPerDegree = M_PER_DEGREE * Math.cos((lat[r]! * Math.PI) / 180)
    row[count] = r
    timeS[count] = beforeS
    eastM[count] = (lon[r]! - lon[row[0]!]!) * eastPerDegree
    northM[count++] = (lat[r]! - lat[row[0]!]!) * M_PER_DEGREE
  }
  return { count, row, timeS, eastM, northM }
}

/**
 * Returns true if three rows bend by half of a jump. Nearly no lap does, so only such a lap is checked in
 * full.
 */
function mayJump({ data: { channel }, rows: { rowStart, rowEnd } }: PhysicsCase): boolean {
  const { Lat: lat, Lon: lon } = channel
  if (lat === null || lon === null) return false
  const most = MAX_ASIDE_M / 2 / M_PER_DEGREE
  const known = lat.subarray(rowStart, rowEnd).find(degrees => !Number.isNaN(degrees)) ?? 0
  const mostLon = most / Math.cos((known * Math.PI) / 180) / Math.SQRT2
  const mostLat = most / Math.SQRT2
  for (let row = rowStart + 1; row < rowEnd; row++) {
    const bendLat = lat[row + 1]! - 2 * lat[row]! + lat[row - 1]!
    const bendLon = lon[row + 1]! - 2 * lon[row]! + lon[row - 1]!
    if (bendLat > mostLat || bendLat < -mostLat || bendLon > mostLon || bendLon < -mostLon) return true
  }
  return false
}

/** Seconds, and least and most rows, before and after a step that show the way. */
const AROUND_S = 4 / 60
const MIN_AROUND = 4
const MAX_AROUND = 24
const MAX_STEP_S = 0.1 + 1e-6
/**
 * Without positions for longer, a car can be off the way between. Recorded laps: 6.2 m/s² over 0.15 s, and less
 * over more.
 */
const GAP_MPS2 = 12
const MIN_MPS = 8
/** If a speed or rate jumps between two rows, its mean may lie anywhere between them. */
const CONTACT = 0.6

function changesTooFast(
  { data: { kind, timeS }, rows: { rowStart, rowEnd } }: PhysicsCase,
  values: ColumnValues | undefined,
  most: number,
): boolean {
  if (values === undefined || values.every(Number.isNaN)) return false
  let before = rowStart
  for (let row = rowStart + 1; row <= rowEnd; row++) {
    if (kind[row] !== ROW.GOOD || !(timeS[row]! > timeS[before]!)) continue
    const change = Math.abs(values[row]! - values[before]!)
    // At midnight the time of day starts again. No other value reaches a day's seconds. NaN could hide a jump.
    if (!(change <= most * (timeS[row]! - timeS[before]!)) && !(DAY_S - change <= most)) return true
    before = row
  }
  return false
}

const DAY_S = 86_400
