import type { LapData } from '../lap-data.ts'
import { jumpsAside } from './joins.ts'
import { GRAVITY, type LapMotion, TURN } from './lap-motion.ts'
import type { PhysicsCase } from './physics-case.ts'
import { ratioOf } from './rates.ts'

/**
 * The contradictions that no car and no sensor can produce, each with the rule that finds it. A rule judges
 * the lap alone, so that a part of the file gets the same verdict. It finds nothing if a channel is missing.
 * Error figures are of all recorded laps, whole ones and parts, unless a rule states otherwise.
 */
export const HARD_RULES = {
  turns: contradictsTurns,
  along: contradictsAlong,
  across: contradictsAcross,
  revolutions: exceedsRevolutions,
  forces: exceedsForces,
  ticks: contradictsTicks,
  join: jumpsAside,
} as const satisfies Readonly<Record<string, (lap: PhysicsCase) => boolean>>

export type HardRule = keyof typeof HARD_RULES

/**
 * Compares the angle that YawRate adds up to over the lap with the angle by which Yaw changed. That is a
 * whole turn plus the car's angle at the line. Without Yaw, compares with a whole turn. A spin adds a turn to
 * both.
 *
 * Error in recorded laps: 0.01 % of a turn with Roll and PitchRate, 0.41 % without; 0.81 % without Yaw. A lap
 * taken 1.02 times faster is off by 1.4 % or more. Judges only laps that turn once: on a figure of eight the
 * left and the right half cancel out, and a joker lap has another road. `findSoftContradictions` compares the
 * rates of both.
 *
 * If Yaw does not confirm the turn, the rates are compared with those of the course too, but only coarsely: a
 * median, which a spin does not move. Ratio in recorded laps: 0.993 to 1.032; in simulated ones 0.92 to 1.11.
 * A whole turn too many can come from a file with another rate, whose Yaw is wrong for a row at 180 degrees.
 */
function contradictsTurns(lap: PhysicsCase): boolean {
  const { data, motion } = lap
  const error = turnError(lap)
  const jumped = Math.min(motion.jumpedRad / 2 / TURN, MAX_JUMP_ERROR)
  if (error !== null && partOfTurn(error) > MAX_TURN_ERROR + jumped) return true
  const hasWholeTurns = error !== null && Math.abs(error) > 0.5
  if (error !== null && motion.yawRad !== null && !hasWholeTurns) return false
  const ratio = courseRatio(motion)
  if (ratio === null) return hasWholeTurns
  return Math.abs(ratio - 1) > MAX_COURSE_ERROR && !isJoker(data, motion)
}

/** Returns how many radians YawRate adds up to for each radian by which the course turns. */
export function courseRatio(motion: LapMotion): number | null {
  return ratioOf(motion, motion.turnedRad, motion.courseRad, MIN_TURN_RPS)
}

export const MIN_TURN_RPS = 0.15

/** Returns the error in turns, or null if the lap does not turn once. */
export function turnError({ data, motion }: PhysicsCase): number | null {
  const { turnedRad, yawRad, count } = motion
  if (turnedRad === null || isJoker(data, motion)) return null
  const turned = turnedRad[count - 1]! / TURN
  if (yawRad === null) return Math.round(turned) === 0 ? null : turned - Math.round(turned)
  const pointed = (yawRad[count - 1]! - yawRad[0]!) / TURN
  return Math.abs(Math.abs(pointed) - 1) < MAX_ASIDE ? turned - pointed : null
}

/** Returns the error without whole turns, from 0 to 0.5. */
export function partOfTurn(error: number): number {
  return Math.abs(error - Math.round(error))
}

/** In turns. */
const MAX_TURN_ERROR = 0.011
/**
 * In turns. A rate that jumps between two rows adds an error, but a forger can add such jumps. Of 10,000
 * simulated laps with contact one needs some of it: 0.0012.
 */
const MAX_JUMP_ERROR = 0.003
/** A road banked by 30 degrees, in a file without Roll: 0.87. */
const MAX_COURSE_ERROR = 0.25
/** A car that crosses one of the two lines up to 90 degrees sideways. */
const MAX_ASIDE = 0.25

/**
 * Returns true for a joker lap. It has a road of its own, of any length, on which the errors of the rules that
 * compare sensors with the way are not known. Such a lap is at most held for review.
 */
export function isJoker({ channel }: LapData, { row }: LapMotion): boolean {
  const joker = channel.SessionOnJokerLap
  return joker !== null && row.some(r => joker[r] !== 0)
}

/** Returns true for a joker lap that was driven over a longer road than the track's. */
export function isOnDetour(data: LapData, motion: LapMotion): boolean {
  const { trackLengthM } = data
  const { count, timeS, speedMps } = motion
  if (trackLengthM === null || speedMps === null || !isJoker(data, motion)) return false
  let drivenM = 0
  for (let i = 1; i < count; i++) {
    drivenM += 0.5 * (speedMps[i - 1]! + speedMps[i]!) * (timeS[i]! - timeS[i - 1]!)
  }
  return drivenM > DETOUR * trackLengthM
}

const DETOUR = 1.01

/**
 * Compares what LongAccel adds up to, along the course and without gravity, with the change of Speed.
 *
 * Ratio in recorded laps: 0.985 to 1.026, on ovals and hills, in contact and in slides.
 */
function contradictsAlong({ data, motion }: PhysicsCase): boolean {
  const ratio = isJoker(data, motion) ? null : alongRatio(motion)
  return ratio !== null && Math.abs(ratio - 1) > MAX_ALONG_ERROR
}

/** Returns how many m/s LongAccel adds up to for each m/s by which Speed changes. */
export function alongRatio(motion: LapMotion): number | null {
  return ratioOf(motion, motion.alongMps, motion.speedMps, MIN_ALONG_MPS2)
}

const MIN_ALONG_MPS2 = 2.5
const MAX_ALONG_ERROR = 0.1

/**
 * Compares what LatAccel adds up to, across the course and without banking, with Speed times the change of
 * the course. Speed times YawRate would be wrong in a slide, by a sixth in a recorded one.
 *
 * Ratio in recorded laps: 0.987 to 1.006, on ovals and in drifts. Without Roll, assumes a flat road.
 */
function contradictsAcross({ data, motion }: PhysicsCase): boolean {
  const ratio = isJoker(data, motion) ? null : acrossRatio(motion)
  return ratio !== null && Math.abs(ratio - 1) > MAX_ACROSS_ERROR
}

/** Returns how many m/s LatAccel adds up to for each m/s that the bends of the course need. */
export function acrossRatio(motion: LapMotion): number | null {
  return ratioOf(motion, motion.acrossMps, motion.bentMps, MIN_ACROSS_MPS2)
}

const MIN_ACROSS_MPS2 = 5
const MAX_ACROSS_ERROR = 0.12

/**
 * Finds an engine over 1.1 times the car's red line for longer than a second in total. A missed gear causes
 * this for a moment only.
 *
 * In recorded laps no engine exceeds its red line.
 */
function exceedsRevolutions({ data, motion }: PhysicsCase): boolean {
  return secondsOver(data, motion, MAX_REVOLUTIONS) > MAX_OVER_S
}

/** Returns the seconds for which the engine exceeded a multiple of the red line; 0 if unknown. */
export function secondsOver(data: LapData, { count, row, timeS }: LapMotion, multiple: number): number {
  const rpm = data.channel.RPM
  if (rpm === null || data.redLineRpm === null) return 0
  const limit = multiple * data.redLineRpm
  let seconds = 0
  for (let i = 1; i < count; i++) if (rpm[row[i]!]! > limit) seconds += timeS[i]! - timeS[i - 1]!
  return seconds
}

const MAX_REVOLUTIONS = 1.1
const MAX_OVER_S = 1

/**
 * Finds at least two forces of more than 8 g in a lap that each last for half a second. The quickest cars
 * reach 6 g. Kerbs and contact are shorter, and no car hits a wall so hard twice in a lap.
 *
 * Recorded laps: 2.2 g at most.
 */
function exceedsForces({ data, motion }: PhysicsCase): boolean {
  const { count, timeS, alongMps, acrossMps, speedMps, bentMps } = motion
  const bySensors = [alongMps, acrossMps] as const
  const byPositions = [speedMps, bentMps] as const
  for (const [along, across] of isJoker(data, motion) ? [bySensors] : [bySensors, byPositions]) {
    if (along === null || across === null) continue
    let times = 0
    for (let b = FORCE_NODES; b < count; b++) {
      const a = b - FORCE_NODES
      const x = along[b]! - along[a]!
      const y = across[b]! - across[a]!
      const most = MAX_FORCE_MPS2 * (timeS[b]! - timeS[a]!)
      if (x * x + y * y < most * most) continue
      times++
      b += FORCE_NODES
    }
    if (times > 1) return true
  }
  return false
}

/** Half a second. */
const FORCE_NODES = 5
const MAX_FORCE_MPS2 = 8 * GRAVITY

/**
 * Compares the ticks that SessionTick counts over the lap with its time. The rate is 60 Hz, a multiple of it
 * or the rate of the header. Finds nothing if the count falls.
 *
 * Error in recorded laps: 8 ticks in 56 s.
 */
function contradictsTicks({ data, motion: { count, row, timeS } }: PhysicsCase): boolean {
  const ticks = data.channel.SessionTick
  if (ticks === null) return false
  for (let i = 1; i < count; i++) if (ticks[row[i]!]! < ticks[row[i - 1]!]!) return false
  const seconds = timeS[count - 1]! - timeS[0]!
  const counted = ticks[row[count - 1]!]! - ticks[row[0]!]!
  const rate = TICK_HZ * Math.max(1, Math.round(counted / seconds / TICK_HZ))
  const most = Math.max(MAX_TICK_ERROR_S, MAX_TICK_ERROR * seconds)
  return [rate, data.rateHz].every(hz => Math.abs(counted / hz - seconds) > most)
}

const TICK_HZ = 60
const MAX_TICK_ERROR_S = 0.25
const MAX_TICK_ERROR = 0.005
