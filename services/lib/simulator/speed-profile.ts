import { smooth } from '@lapwing/telemetry/smooth'
import { bestGear, type Car, driveN, GRAVITY, gripMps2 } from './car.ts'
import type { Circuit } from './circuit.ts'
import type { StintPlan } from './plan-stint.ts'

/**
 * Returns m/s along the planned line, from a standing start. First limits the speed in each corner by the
 * friction circle. Then goes backwards from every corner with the latest possible braking. Then goes forwards
 * as hard as engine and driven wheels can push.
 */
export function speedProfile(plan: StintPlan, circuit: Circuit): Float64Array {
  const { car, curvature, grip, braking, limitMps, stretch } = plan
  const slope = slopes(plan, circuit)
  const count = curvature.length
  const speed = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    speed[i] = Math.min(TOP_MPS, limitMps[i]!, cornerSpeed(car, Math.abs(curvature[i]!), grip[i]!))
  }
  for (let i = count - 2; i >= 0; i--) {
    const v = speed[i + 1]!
    const spare = spareGrip(car, v, curvature[i]!, grip[i]!)
    const slowing =
      spare * car.brakeShare * braking[i]! +
      (car.drag * v * v + car.rollingN) / car.massKg +
      GRAVITY * slope[i]!
    speed[i] = Math.min(speed[i]!, Math.sqrt(v * v + 2 * slowing * stretch[i]! * circuit.stepM))
  }
  speed[0] = Math.min(speed[0]!, 1.5)
  for (let i = 0; i < count - 1; i++) {
    const v = speed[i]!
    const driven = spareGrip(car, v, curvature[i]!, grip[i]!) * car.drivenShare
    const push = Math.min(driven, driveN(car, v, bestGear(car, v)) / car.massKg)
    const lateral = v * v * curvature[i]!
    const held = (car.drag * v * v + car.rollingN + car.scrubN * lateral * lateral) / car.massKg
    const gain = push - held - GRAVITY * slope[i]!
    speed[i + 1] = Math.min(
      speed[i + 1]!,
      Math.sqrt(Math.max(1, v * v + 2 * gain * stretch[i]! * circuit.stepM)),
    )
  }
  return smooth(speed, 1, false)
}

const TOP_MPS = 76

/** Returns the rise for each metre, at every sample of the stint. */
export function slopes(plan: StintPlan, { altM, stepM }: Circuit): Float64Array {
  const perLap = altM.length
  return plan.aside.map((_, i) => {
    const at = (plan.start + i) % perLap
    return (altM[(at + 1) % perLap]! - altM[(at + perLap - 1) % perLap]!) / (2 * stepM)
  })
}

/**
 * Returns the speed at which a bend needs all the grip. Downforce grows with speed, so a fast bend has no
 * limit.
 */
function cornerSpeed(car: Car, curvature: number, share: number): number {
  const grip = car.grip * share * CORNER_SHARE
  const room = curvature - (grip * car.downforce) / car.massKg
  return room <= 0 ? Number.POSITIVE_INFINITY : Math.sqrt((grip * GRAVITY) / room)
}

/** No driver holds a car at its very limit through a corner. */
const CORNER_SHARE = 0.97

/** Returns the part of the friction circle that is left for braking or driving. */
function spareGrip(car: Car, speedMps: number, curvature: number, share: number): number {
  const all = gripMps2(car, speedMps, share)
  const lateral = (speedMps * speedMps * Math.abs(curvature)) / all
  return all * Math.sqrt(Math.max(0.012, 1 - lateral * lateral))
}
