import { type Car, driveN, engineBrakeN, GRAVITY, gripMps2, rpmAt } from './car.ts'
import type { Circuit } from './circuit.ts'
import type { StintPlan } from './plan-stint.ts'
import { smoothNoise } from './random.ts'
import { slopes, speedProfile } from './speed-profile.ts'

/** What the car did, tick by tick; arrays of one length, SI units, angles positive to the left. */
export interface Drive {
  readonly ticks: number
  /** The car's position as an index of the plan's samples, with fractions. */
  readonly at: Float64Array
  readonly speedMps: Float64Array
  readonly accelMps2: Float64Array
  readonly lateralMps2: Float64Array
  readonly throttle: Float64Array
  readonly brake: Float64Array
  /** 1: fully engaged. */
  readonly clutch: Float64Array
  readonly gear: Int8Array
  readonly rpm: Float64Array
  readonly steeringRad: Float64Array
  readonly yawRateRps: Float64Array
}

export const TICK_S = 1 / 60

/** Seconds for which the car waits in its stall before it moves off. */
const STANDING_S = 4

/**
 * Drives the plan in time: feet and hands need time, gears follow one another, and the engine follows the
 * wheels.
 */
export function driveStint(plan: StintPlan, circuit: Circuit): Drive {
  const speedMps = feltSpeed(plan, circuit)
  const ticks = speedMps.length
  const at = new Float64Array(ticks)
  for (let t = 1; t < ticks; t++) {
    const i = Math.min(plan.stretch.length - 1, Math.floor(at[t - 1]!))
    at[t] =
      at[t - 1]! + (0.5 * (speedMps[t - 1]! + speedMps[t]!) * TICK_S) / (plan.stretch[i]! * circuit.stepM)
  }
  const accelMps2 = new Float64Array(ticks)
  for (let t = 1; t < ticks - 1; t++) accelMps2[t] = (speedMps[t + 1]! - speedMps[t - 1]!) / (2 * TICK_S)

  const lateralMps2 = speedMps.map((v, t) => v * v * sampleAt(plan.curvature, at[t]!))
  const drive = {
    ticks,
    at,
    speedMps,
    accelMps2,
    lateralMps2,
    throttle: new Float64Array(ticks),
    brake: new Float64Array(ticks),
    clutch: new Float64Array(ticks).fill(1),
    gear: new Int8Array(ticks),
    rpm: new Float64Array(ticks),
    steeringRad: new Float64Array(ticks),
    yawRateRps: new Float64Array(ticks),
  }
  shiftGears(drive, plan.car)
  pressPedals(drive, plan, circuit)
  runEngine(drive, plan.car)
  steer(drive, plan)
  return drive
}

/** Returns the speed profile over time, smoothed as slow feet would. */
function feltSpeed(plan: StintPlan, circuit: Circuit): Float64Array {
  const profile = speedProfile(plan, circuit)
  const speeds: number[] = []
  for (let t = 0; t < STANDING_S / TICK_S; t++) speeds.push(0)
  let at = 0
  while (at < profile.length - 1) {
    const v = sampleAt(profile, at)
    // Moving off takes the clutch two seconds, which no profile over distance can express.
    const movingS = (speeds.length - STANDING_S / TICK_S) * TICK_S
    const speed = Math.min(v, 0.02 + 1.8 * movingS + 0.9 * movingS * movingS)
    speeds.push(speed)
    at += (speed * TICK_S) / (plan.stretch[Math.floor(at)]! * circuit.stepM)
  }
  return soften(Float64Array.from(speeds), FEET_TICKS)
}

const FEET_TICKS = 4

/** Returns a bell-shaped mean over `2 * half + 1` ticks; a standing car stays at 0. */
function soften(values: Float64Array, half: number): Float64Array {
  const weights: number[] = []
  for (let k = -half; k <= half; k++) weights.push(Math.exp((-2 * k * k) / (half * half)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return values.map((value, t) => {
    if (value === 0) return 0
    let sum = 0
    for (let k = -half; k <= half; k++) {
      const neighbour = Math.min(values.length - 1, Math.max(0, t + k))
      sum += values[neighbour]! * weights[k + half]!
    }
    return sum / total
  })
}

function sampleAt(values: Float64Array, at: number): number {
  const i = Math.min(values.length - 1, Math.floor(at))
  const next = Math.min(values.length - 1, i + 1)
  return values[i]! + (values[next]! - values[i]!) * (at - i)
}

/** Ticks without a gear between two gears, and ticks between two downshifts. */
const SHIFT_TICKS = 3
const DOWNSHIFT_TICKS = 17
const BLIP_TICKS = 4

function shiftGears({ ticks, speedMps, accelMps2, lateralMps2, gear }: Drive, car: Car): void {
  const hand = smoothNoise(501, 4000)
  let current = 0
  let neutral = 0
  let wait = 0
  let target = 0
  for (let t = 0; t < ticks; t++) {
    const v = speedMps[t]!
    if (neutral > 0) {
      if (--neutral === 0) current = target
    } else if (wait > 0) {
      wait--
    } else if (current === 0) {
      if (t > STANDING_S / TICK_S - 20) current = 1
    } else {
      const rpm = rpmAt(car, v, current)
      const isLoose = Math.abs(lateralMps2[t]!) < 9
      const up = car.shiftRpm + 90 * hand(t)
      if (rpm > up && accelMps2[t]! > 0.4 && current < car.ratios.length) target = current + 1
      else if (rpm > car.redLineRpm - 60 && current < car.ratios.length) target = current + 1
      else if (
        current > 1 &&
        accelMps2[t]! < -3 &&
        rpmAt(car, v, current - 1) < car.shiftRpm - 800 + 250 * hand(t + 900)
      )
        target = current - 1
      else if (current > 2 && isLoose && accelMps2[t]! > -3 && rpmAt(car, v, current) < car.shiftRpm - 3450)
        target = current - 1
      else target = current
      if (target !== current) {
        neutral = SHIFT_TICKS
        wait = target < current ? DOWNSHIFT_TICKS : 20
      }
    }
    gear[t] = neutral > 0 ? 0 : current
  }
}

/** Sets the pedals that cause the car's acceleration. */
function pressPedals(drive: Drive, plan: StintPlan, circuit: Circuit): void {
  const { ticks, at, speedMps, accelMps2, lateralMps2, throttle, brake, gear, clutch } = drive
  const { car } = plan
  const slope = slopes(plan, circuit)
  const foot = smoothNoise(601, 26)
  const fine = smoothNoise(602, 9)
  let lastGear = 1
  for (let t = 0; t < ticks; t++) {
    const v = speedMps[t]!
    if (gear[t]! > 0) lastGear = gear[t]!
    if (v === 0) {
      clutch[t] = gear[t] === 0 ? 1 : 0
      brake[t] = t < (STANDING_S - 0.6) / TICK_S ? 0.35 : 0
      throttle[t] = t > (STANDING_S - 0.3) / TICK_S ? 0.3 : 0
      continue
    }
    const lateral = lateralMps2[t]!
    const held =
      car.drag * v * v +
      car.rollingN +
      car.scrubN * lateral * lateral +
      GRAVITY * car.massKg * sampleAt(slope, at[t]!)
    const wantedN = car.massKg * accelMps2[t]! + held
    const closedN = engineBrakeN(car, v, lastGear)
    if (wantedN > -closedN * 0.9) {
      const share = (wantedN + closedN) / (driveN(car, v, lastGear) + closedN)
      throttle[t] = share > FLAT ? 1 : Math.max(0, share + 0.035 * foot(t) * Math.min(1, 4 * share))
      if (throttle[t]! < 0.03) throttle[t] = 0
    } else {
      const share = (-wantedN - closedN) / car.brakeN
      brake[t] = Math.max(0, share * (1 + 0.02 * fine(t) + 0.03 * foot(t + 500)))
      if (brake[t]! < 0.012) brake[t] = 0
    }
    if (v < 6) clutch[t] = Math.min(1, 0.25 + v / 8)
  }
  limitRate(throttle, 0.085, 0.13)
  limitRate(brake, 0.12, 0.075)
  blipDownshifts(drive)
}

/** No driver holds a pedal slightly short of its stop. */
const FLAT = 0.84

/** Limits the share of its way that a pedal moves in a tick. */
function limitRate(pedal: Float64Array, up: number, down: number): void {
  for (let t = 1; t < pedal.length; t++) {
    pedal[t] = Math.min(1, pedal[t - 1]! + up, Math.max(pedal[t - 1]! - down, pedal[t]!))
  }
}

/**
 * Opens the throttle for a moment during braking, as the car does, to speed the engine up for the lower gear.
 */
function blipDownshifts({ ticks, gear, throttle, brake }: Drive): void {
  const size = smoothNoise(610, 50)
  for (let t = 1; t + SHIFT_TICKS < ticks; t++) {
    const isShift = gear[t] === 0 && gear[t - 1]! > gear[t + SHIFT_TICKS]!
    if (!isShift || brake[t]! < 0.02) continue
    for (let k = 0; k < BLIP_TICKS; k++) throttle[t + k] = Math.max(throttle[t + k]!, 0.7 + 0.12 * size(t))
  }
}

/** Returns the engine speed: geared to the wheels, except during a shift and while the clutch slips. */
function runEngine({ ticks, speedMps, accelMps2, gear, rpm, clutch, throttle }: Drive, car: Car): void {
  const hum = smoothNoise(701, 5)
  let engine = car.idleRpm
  let sinceShift = 1000
  let swing = 0
  let lastGear = 1
  for (let t = 0; t < ticks; t++) {
    const v = speedMps[t]!
    if (gear[t]! > 0 && gear[t] !== lastGear) {
      swing = (rpmAt(car, v, gear[t]!) - rpmAt(car, v, lastGear)) * 0.14
      lastGear = gear[t]!
      sinceShift = 0
    }
    sinceShift++
    const slip = 1 + 0.0016 * accelMps2[t]!
    let wanted = rpmAt(car, v, lastGear) * slip
    if (gear[t] === 0 && v > 3) wanted = engine + (throttle[t]! > 0.5 && accelMps2[t]! < 0 ? 260 : -90)
    if (clutch[t]! < 1 || v < 3) wanted = Math.max(wanted, car.idleRpm + 2300 * throttle[t]!)
    wanted = Math.max(car.idleRpm * 0.95, wanted)
    engine += (wanted - engine) * (sinceShift < 12 ? 0.45 : 0.85)
    const ring = sinceShift < 40 ? swing * Math.exp(-sinceShift / 9) * Math.cos(sinceShift * 0.75) : 0
    rpm[t] = engine + ring + 9 * hum(t) + (v > 3 ? 6 * hum(2 * t + 50) : 0)
  }
}

/** Steers by the angle that the bend needs, a little late, with corrections that grow towards the limit. */
function steer(
  { ticks, at, speedMps, lateralMps2, accelMps2, steeringRad, yawRateRps }: Drive,
  plan: StintPlan,
): void {
  const hold = smoothNoise(801, 70)
  const tremble = smoothNoise(804, 15)
  const correct = smoothNoise(802, 17)
  const catchSlide = smoothNoise(803, 30)
  const { car } = plan
  let hands = 0
  for (let t = 0; t < ticks; t++) {
    const v = speedMps[t]!
    const k = sampleAt(plan.curvature, at[t]!)
    const lateral = lateralMps2[t]!
    const used = Math.min(1.2, Math.hypot(lateral, accelMps2[t]!) / gripMps2(car, v, 1))
    const angle = (k * car.wheelbaseM + car.understeer * lateral) * car.steeringRatio
    const slide = accelMps2[t]! > 1.5 && used > 0.72 ? Math.max(0, catchSlide(t)) * (used - 0.72) * 0.9 : 0
    const wanted =
      angle * (1 - slide) +
      0.018 * hold(t) +
      0.05 * Math.min(1, v / 40) * tremble(t) +
      0.17 * used * used * used * correct(t) * Math.min(1, Math.abs(lateral) / 8)
    hands += (wanted - hands) * 0.32
    steeringRad[t] = v === 0 ? -0.02 : hands
    yawRateRps[t] = v * k
  }
}
