import { CAR_PIXEL_M } from '../cars/car-shapes.ts'
import type { CarAxes } from '../cars/place-marker.ts'

/** Pixels of the screen. */
interface ScreenPoint {
  readonly x: number
  readonly y: number
}

/** A car seen from a low camera would be a line, so its short side is never below this share of the other one. */
const LEAST_SHARE = 0.7

/**
 * Returns the axes of a car that lies on the ground, as the camera sees it. A far car is drawn larger than it is, with
 * at least one pixel for each of its shape.
 *
 * @param at where the car is
 * @param front where the ground is that is one metre before it
 * @param right where the ground is that is one metre to its right
 */
export function carOnGround(at: ScreenPoint, front: ScreenPoint, right: ScreenPoint): CarAxes | null {
  const [frontX, frontY, rightX, rightY] = [front.x - at.x, front.y - at.y, right.x - at.x, right.y - at.y]
  const [long, wide] = [Math.hypot(frontX, frontY), Math.hypot(rightX, rightY)]
  const larger = Math.max(long, wide)
  if (!(Math.min(long, wide) > 0)) return null
  const scale = Math.max(CAR_PIXEL_M, 1 / larger)
  const widened = (length: number) => (scale * Math.max(length, LEAST_SHARE * larger)) / length
  return [frontX * widened(long), frontY * widened(long), rightX * widened(wide), rightY * widened(wide)]
}
