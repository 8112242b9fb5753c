import type { Columns, ColumnValues } from '../../columns.ts'
import type { Lap } from '../lap.ts'
import { columnOf, type LapData, ROW } from '../lap-data.ts'
import { contradictsItself, contradictsOtherLaps, type GearRatios, gearRatios } from './gear-ratios.ts'
import {
  acrossRatio,
  alongRatio,
  courseRatio,
  isJoker,
  isOnDetour,
  MIN_TURN_RPS,
  partOfTurn,
  secondsOver,
  turnError,
} from './hard-rules.ts'
import { hasJoin, REVIEW_CHANNELS, type ReviewChannel } from './joins.ts'
import { motionOf } from './lap-motion.ts'
import type { PhysicsCase } from './physics-case.ts'
import { ratioOf } from './rates.ts'

/**
 * A contradiction that an honest lap hardly ever has, and that refuses no lap. It is a reason for a moderator
 * to review a lap (D-26) and is never shown to its driver. The codes are stable.
 */
export type SoftContradiction =
  /** YawRate and Yaw show different turns. */
  | 'turn_rate'
  /** YawRate and the positions show different turns. */
  | 'course'
  /** LongAccel and Speed show different accelerations. */
  | 'long_accel'
  /** LatAccel and the bends show different accelerations. */
  | 'lat_accel'
  /** The engine turned faster than its red line for longer than a missed gear does. */
  | 'revolutions'
  /** The gears contradict each other or other laps of the file. `ingest` compares with other drivers. */
  | 'gear_ratio'
  /** A value jumped that can only change gradually. */
  | 'splice'
  /** A sensor that the simulator always records is missing or hardly ever changes, or too few rows show it. */
  | 'missing_sensor'

/** What the physics of a complete lap show beside its verdict. */
export interface LapPhysics {
  readonly contradictions: readonly SoftContradiction[]
  readonly gearRatios: GearRatios
}

/**
 * Checks every complete lap of a file, and returns one entry a lap, in their order. An entry is null if the
 * lap is not complete. `data` are the channels of `columns`, which needs `Gear` and should have
 * `REVIEW_CHANNELS` too; only a missing sensor is a contradiction. Pure, and changes no argument.
 */
export function findSoftContradictions(
  columns: Columns,
  data: LapData | null,
  laps: readonly Lap[],
): (LapPhysics | null)[] {
  if (data === null) return laps.map(() => null)
  const gear = columnOf(columns, 'Gear')
  const slow = new Map<ReviewChannel, ColumnValues>()
  for (const name of REVIEW_CHANNELS) {
    const values = columnOf(columns, name)
    if (values !== null) slow.set(name, values)
  }
  const results = laps.map(lap => {
    if (!lap.is_completed) return null
    const rows = { rowStart: lap.row_start, rowEnd: lap.row_end }
    const motion = motionOf(data, rows)
    if (motion === null) return notCompared
    const physics: PhysicsCase = { data, rows, motion }
    const ratios = gearRatios(data, motion, gear)
    const found = Object.entries(SOFT_RULES).filter(([, isBroken]) => isBroken(physics))
    const contradictions = found.map(([code]) => code as SoftContradiction)
    if (contradictsItself(ratios)) contradictions.push('gear_ratio')
    if (!isOnDetour(data, motion) && hasJoin(physics, slow, isJoker(data, motion))) {
      contradictions.push('splice')
    }
    if (ratios.size === 0 || lacksSensor(physics)) contradictions.push('missing_sensor')
    return { contradictions, gearRatios: ratios }
  })
  const ofFile = results.flatMap(result => (result === null ? [] : [result.gearRatios]))
  return results.map(result => {
    const isOdd = result !== null && contradictsOtherLaps(result.gearRatios, ofFile)
    if (!isOdd || result.contradictions.includes('gear_ratio')) return result
    return { ...result, contradictions: [...result.contradictions, 'gear_ratio' as const] }
  })
}

/** No car laps in so few rows, and no simulator records so many: a forger chose the rate to avoid the rules. */
const notCompared: LapPhysics = { contradictions: ['missing_sensor'], gearRatios: new Map() }

const SOFT_RULES = {
  turn_rate: contradictsYaw,
  course: contradictsCourse,
  long_accel: ({ motion }) => isOff(alongRatio(motion), MAX_ALONG),
  lat_accel: ({ motion }) => isOff(acrossRatio(motion), MAX_ACROSS),
  revolutions: ({ data, motion }) => secondsOver(data, motion, MAX_REVOLUTIONS) > MAX_OVER_S,
} as const satisfies Readonly<Partial<Record<SoftContradiction, (lap: PhysicsCase) => boolean>>>

/** Recorded laps: 0.985 to 1.026. */
const MAX_ALONG = 0.045
/** Recorded laps: 0.987 to 1.006. A lap taken 1.02 times faster without LatAccel: 0.951 and less. */
const MAX_ACROSS = 0.03
const MAX_REVOLUTIONS = 1.03
const MAX_OVER_S = 0.5

function isOff(ratio: number | null, most: number): boolean {
  return ratio !== null && Math.abs(ratio - 1) > most
}

/**
 * Compares YawRate with Yaw bend by bend, which also works for a figure of eight and for a lap with a spin.
 *
 * Ratio in recorded laps: 0.9999 to 1.0001 with Roll and PitchRate; without them 0.9992 on flat roads and
 * 0.992 on a banked one. A lap taken 1.02 times faster: 0.980.
 */
function contradictsYaw(lap: PhysicsCase): boolean {
  const { motion } = lap
  const error = turnError(lap)
  if (error !== null && partOfTurn(error) > MAX_TURN_ERROR) return true
  return isOff(ratioOf(motion, motion.turnedRad, motion.yawRad, MIN_TURN_RPS), MAX_YAW)
}

/** In turns. Recorded laps: 0.0041. */
const MAX_TURN_ERROR = 0.009
const MAX_YAW = 0.011

/**
 * Compares YawRate with the course over the ground. Skips joker laps, which have another road.
 *
 * Ratio in recorded laps: 0.994 to 1.039. A lap taken 1.02 times faster lies within that range.
 */
function contradictsCourse({ data, motion }: PhysicsCase): boolean {
  if (isJoker(data, motion)) return false
  return isOff(courseRatio(motion), MAX_COURSE)
}

const MAX_COURSE = 0.08

/**
 * Returns true if a sensor is missing, NaN in any row, or has one value for nearly the whole lap. Without it a
 * faster lap would contradict nothing. Without gears or RPM there are no gear ratios, so they need no check here.
 *
 * Recorded laps: each sensor changes from node to node in 99 % of the lap or more.
 */
function lacksSensor({
  data: { kind, channel },
  rows: { rowStart, rowEnd },
  motion: { count, row },
}: PhysicsCase): boolean {
  return REQUIRED_SENSORS.some(name => {
    const values = channel[name]
    if (values === null) return true
    let changes = 0
    for (let i = 1; i < count; i++) if (values[row[i]!]! !== values[row[i - 1]!]!) changes++
    if (changes < MIN_CHANGES * (count - 1)) return true
    for (let r = rowStart; r <= rowEnd; r++) if (values[r]! * 0 !== 0 && kind[r] === ROW.GOOD) return true
    return false
  })
}

/**
 * `Alt`, `Roll` and `PitchRate` are not among them. Files of 2015 lack them, and they only explain differences:
 * without them a lap contradicts more.
 */
const REQUIRED_SENSORS = ['Yaw', 'YawRate', 'LatAccel', 'LongAccel', 'RPM'] as const
const MIN_CHANGES = 0.1
