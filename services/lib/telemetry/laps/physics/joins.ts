import type { ColumnValues } from '../../columns.ts'
import type { PhysicsCase } from './hard-rules.ts'

/**
 * Finds a step from one row to the next in which the car got a metre and a half to the side of where it
 * went before and after. No car does so in a tick: two laps were joined there.
 *
 * Error in recorded laps: 1.5 cm, and 3.7 cm in contact with a wall.
 */
export function jumpsAside(lap: PhysicsCase): boolean {
  return hasStep(lap, step => step.asideM > MAX_ASIDE_M + step.slackM)
}

const MAX_ASIDE_M = 1.5

/**
 * Returns true if something that can only change bit by bit changed at once inside the lap. Speed and
 * rates can jump in contact; the place, the angle of the car, its fuel and its temperatures cannot.
 * `slow` are the columns of `REVIEW_CHANNELS` that the file has.
 */
export function hasJoin(lap: PhysicsCase, slow: ReadonlyMap<ReviewChannel, ColumnValues>): boolean {
  return (
    hasStep(lap, ({ asideM, yawRad, slackM, slackRad }) => {
      return asideM > SOFT_ASIDE_M + slackM || yawRad > MAX_YAW_RAD + slackRad
    }) || REVIEW_CHANNELS.some(name => changesAtOnce(lap, slow.get(name), MOST_A_SECOND[name]))
  )
}

/** Recorded laps: 0.015 m, in contact 0.037 m. */
const SOFT_ASIDE_M = 0.05
/** Recorded laps: 0.0014 rad, in contact 0.0027 rad. */
const MAX_YAW_RAD = 0.004

/** By what each may change a second. Recorded laps: a quarter of it and less. */
const MOST_A_SECOND = {
  /** Litres: a large engine burns 0.06. */
  FuelLevel: 0.25,
  /** Kelvin. */
  WaterTemp: 8,
  OilTemp: 4,
  /** kPa. */
  LFpressure: 3,
} as const

/** The channels that only `findSoftContradictions` reads, in any order and as far as a file has them. */
export const REVIEW_CHANNELS = Object.keys(MOST_A_SECOND) as readonly ReviewChannel[]

export type ReviewChannel = keyof typeof MOST_A_SECOND

/** What a step from one row to the next leaves unexplained, and how much of it contact may explain. */
interface Step {
  readonly asideM: number
  readonly yawRad: number
  readonly slackM: number
  readonly slackRad: number
}

/** True if there is such a step between two rows of the lap that are no gap. */
function hasStep({ data: { channel }, motion }: PhysicsCase, test: (step: Step) => boolean): boolean {
  const { count, row, timeS, eastM, northM, yawRad } = motion
  if (eastM === null || northM === null) return false
  const rate = channel.YawRate
  const step = { asideM: 0, yawRad: 0, slackM: 0, slackRad: 0 }
  for (let i = AROUND; i + 1 + AROUND < count; i++) {
    const j = i + 1
    const seconds = timeS[j]! - timeS[i]!
    if (seconds > MAX_STEP_S) continue
    const beforeS = timeS[i]! - timeS[i - AROUND]!
    const afterS = timeS[j + AROUND]! - timeS[j]!
    const beforeE = (eastM[i]! - eastM[i - AROUND]!) / beforeS
    const beforeN = (northM[i]! - northM[i - AROUND]!) / beforeS
    const afterE = (eastM[j + AROUND]! - eastM[j]!) / afterS
    const afterN = (northM[j + AROUND]! - northM[j]!) / afterS
    const wayE = 0.5 * (beforeE + afterE)
    const wayN = 0.5 * (beforeN + afterN)
    const way = Math.sqrt(wayE * wayE + wayN * wayN)
    if (way < LEAST_MPS) continue
    const moreE = eastM[j]! - eastM[i]! - wayE * seconds
    const moreN = northM[j]! - northM[i]! - wayN * seconds
    step.asideM = Math.abs(moreE * wayN - moreN * wayE) / way
    step.slackM = CONTACT * Math.hypot(afterE - beforeE, afterN - beforeN) * seconds
    if (yawRad !== null && rate !== null) {
      const rateA = rate[row[i]!]!
      const rateB = rate[row[j]!]!
      // A place that is ahead tells of ticks that are missing, and the car turned in them as well; or
      // of a place that was late by a tick, and the angle of the car was not.
      const hiddenS = (moreE * wayE + moreN * wayN) / (way * way)
      const turned = yawRad[j]! - yawRad[i]!
      const meanRate = 0.5 * (rateA + rateB)
      step.yawRad = Math.min(
        Math.abs(turned - meanRate * seconds),
        Math.abs(turned - meanRate * (seconds + hiddenS)),
      )
      const around = Math.abs(rateA - rate[row[i - 1]!]!) + Math.abs(rate[row[j + 1]!]! - rateB)
      step.slackRad = CONTACT * (Math.abs(rateB - rateA) + around) * (seconds + Math.abs(hiddenS))
    }
    if (test(step)) return true
  }
  return false
}

const AROUND = 4
const MAX_STEP_S = 0.1 + 1e-6
const LEAST_MPS = 8
/** Of a speed or rate that jumps between two rows, the middle may lie anywhere between them. */
const CONTACT = 0.6

function changesAtOnce(
  { motion: { count, row, timeS } }: PhysicsCase,
  values: ColumnValues | undefined,
  most: number,
): boolean {
  if (values === undefined) return false
  for (let i = 1; i < count; i++) {
    const change = Math.abs(values[row[i]!]! - values[row[i - 1]!]!)
    if (change > most * (timeS[i]! - timeS[i - 1]!)) return true
  }
  return false
}
