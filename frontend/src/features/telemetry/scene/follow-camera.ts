import { createStore } from '#shared/store/store.ts'
import type { CameraPose, ScenePoint } from './camera-pose.ts'

/** Whether the camera follows the car while the clock is on. Remembered while the page is open. */
export const followsCar = createStore(false)

/** A car of the scene. */
export interface SceneCar extends ScenePoint {
  /** Radians clockwise from east; null if the car did not move. */
  readonly direction: number | null
}

/**
 * The camera looks at the road ahead, from the least range and nearly along the ground (spec 001, 5). So it is 42 m
 * above the car and about 130 m behind it.
 */
const RANGE_M = 300
const TILT_DEG = 82
const AHEAD_M = 165

/** Returns the pose that follows a car with a level horizon. `headingDeg` is where the camera looks. */
export function followPose({ x, y, z }: ScenePoint, headingDeg: number): CameraPose {
  const heading = (headingDeg * Math.PI) / 180
  return {
    target: { x: x + AHEAD_M * Math.sin(heading), y, z: z - AHEAD_M * Math.cos(heading) },
    rangeM: RANGE_M,
    tiltDeg: TILT_DEG,
    headingDeg,
  }
}

/** Seconds after which two thirds of a turn are done. */
const EASE_S = 0.35
/** Degrees. A smaller rest of a turn is not seen. */
const REST_DEG = 0.05
/** Metres. A car that moved further since the last picture was moved by the driver. */
const JUMP_M = 100

/** What the camera showed last. */
export interface Followed {
  readonly car: ScenePoint
  readonly headingDeg: number
}

/**
 * Turns the camera towards the direction of a car over `elapsedS` seconds. It turns immediately at the start, after a
 * jump, and if `isStill`: some drivers get sick from turning pictures. A car without a direction keeps the heading.
 */
export function followHeading(
  before: Followed | null,
  car: SceneCar,
  elapsedS: number,
  isStill: boolean,
): number {
  const wanted = car.direction === null ? null : 90 + (car.direction * 180) / Math.PI
  if (wanted === null) return before?.headingDeg ?? 0
  if (!before || isStill || Math.hypot(car.x - before.car.x, car.z - before.car.z) > JUMP_M) {
    return (wanted + 360) % 360
  }
  const restDeg = ((((wanted - before.headingDeg) % 360) + 540) % 360) - 180
  const share = Math.abs(restDeg) < REST_DEG ? 1 : 1 - Math.exp(-elapsedS / EASE_S)
  return (before.headingDeg + share * restDeg + 360) % 360
}
