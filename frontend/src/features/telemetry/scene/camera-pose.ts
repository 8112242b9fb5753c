import { clampRangeM } from '@lapwing/lap-map'
import { fittedPixels } from '@lapwing/lap-map/fit'

/** A point of the scene in metres: `x` to the east, `y` up, `z` to the south. */
export interface ScenePoint {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Where the camera is, as it sees its target on the ground. */
export interface CameraPose {
  readonly target: ScenePoint
  /** Metres from the camera to the target. */
  readonly rangeM: number
  /** Degrees away from looking straight down. */
  readonly tiltDeg: number
  /** Degrees clockwise from north, in which the camera looks. */
  readonly headingDeg: number
}

/** Spec 001, 4. */
export const FIRST_TILT_DEG = 60
export const FIRST_HEADING_DEG = 30

/** The camera stays above the ground, and never looks along it. */
const MAX_TILT_DEG = 82

/** Degrees from the upper to the lower edge of the picture. */
export const FIELD_OF_VIEW_DEG = 42

/** Pixels. */
interface ViewSize {
  readonly width: number
  readonly height: number
}

/** Unit vectors of a camera. */
export interface CameraAxes {
  readonly right: ScenePoint
  readonly up: ScenePoint
  readonly forward: ScenePoint
}

export function cameraAxes({ tiltDeg, headingDeg }: Pick<CameraPose, 'tiltDeg' | 'headingDeg'>): CameraAxes {
  const [tilt, heading] = [radians(tiltDeg), radians(headingDeg)]
  const [sinT, cosT, sinH, cosH] = [Math.sin(tilt), Math.cos(tilt), Math.sin(heading), Math.cos(heading)]
  return {
    right: { x: cosH, y: 0, z: sinH },
    up: { x: sinH * cosT, y: sinT, z: -cosH * cosT },
    forward: { x: sinH * sinT, y: -cosT, z: -cosH * sinT },
  }
}

/** Returns where the camera is. */
export function cameraPosition(pose: CameraPose): ScenePoint {
  return along(pose.target, cameraAxes(pose).forward, -pose.rangeM)
}

/**
 * Returns the pose that shows all points with `FIT_PADDING` around them, without turning the camera. The range
 * is 300 to 20,000 m, so a very long lap can leave the picture. Keeps the pose if there are no points.
 */
export function fitPose(pose: CameraPose, points: Iterable<ScenePoint>, size: ViewSize): CameraPose {
  const axes = cameraAxes(pose)
  const { right, up, forward } = axes
  const [tanX, tanY] = halfTangents(size)
  const tightX = (tanX * fittedPixels(size.width)) / Math.max(1, size.width)
  const tightY = (tanY * fittedPixels(size.height)) / Math.max(1, size.height)
  // Each edge of the picture is a plane. These are the ranges that the planes of two opposite edges need.
  let [fromLeft, fromRight, fromTop, fromBottom] = Array<number>(4).fill(Number.NEGATIVE_INFINITY) as [
    number,
    number,
    number,
    number,
  ]
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const point of points) {
    const [x, y, far] = [dot(point, right), dot(point, up), dot(point, forward)]
    fromRight = Math.max(fromRight, x / tightX - far)
    fromLeft = Math.max(fromLeft, -x / tightX - far)
    fromTop = Math.max(fromTop, y / tightY - far)
    fromBottom = Math.max(fromBottom, -y / tightY - far)
    lowest = Math.min(lowest, point.y)
    highest = Math.max(highest, point.y)
  }
  if (highest < lowest) return pose
  const sideways = (tightX * (fromRight - fromLeft)) / 2
  const upwards = (tightY * (fromTop - fromBottom)) / 2
  const back = Math.max((fromRight + fromLeft) / 2, (fromTop + fromBottom) / 2)
  const camera = along(along(along({ x: 0, y: 0, z: 0 }, right, sideways), up, upwards), forward, -back)
  // The target is where the camera's middle meets the ground.
  const groundY = (lowest + highest) / 2
  const toGround = Math.max(1, (groundY - camera.y) / forward.y)
  return { ...pose, target: along(camera, forward, toGround), rangeM: clampRangeM(toGround) }
}

/** Turns and tilts the camera around its target. */
export function orbit(pose: CameraPose, byHeadingDeg: number, byTiltDeg: number): CameraPose {
  return {
    ...pose,
    headingDeg: (((pose.headingDeg + byHeadingDeg) % 360) + 360) % 360,
    tiltDeg: Math.min(MAX_TILT_DEG, Math.max(0, pose.tiltDeg + byTiltDeg)),
  }
}

/** A box on the ground in metres, which the target does not leave. */
export interface GroundBox {
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
}

/** Moves the ground by pixels of the picture, as if the pointer held it. */
export function pan(pose: CameraPose, byX: number, byY: number, size: ViewSize, box: GroundBox): CameraPose {
  const pixelM = (2 * pose.rangeM * halfTangents(size)[1]) / Math.max(1, size.height)
  const heading = radians(pose.headingDeg)
  const sideways = -byX * pixelM
  // The ground is seen at an angle, so a pixel is longer in depth; near the horizon it would be endless.
  const ahead = (byY * pixelM) / Math.max(0.25, Math.cos(radians(pose.tiltDeg)))
  const x = pose.target.x + sideways * Math.cos(heading) + ahead * Math.sin(heading)
  const z = pose.target.z + sideways * Math.sin(heading) - ahead * Math.cos(heading)
  return {
    ...pose,
    target: {
      x: Math.min(box.east, Math.max(box.west, x)),
      y: pose.target.y,
      z: Math.min(box.south, Math.max(box.north, z)),
    },
  }
}

/** Zooms by a factor; above 1 is closer. The range stays within 300 to 20,000 m. */
export function zoom(pose: CameraPose, factor: number): CameraPose {
  return { ...pose, rangeM: clampRangeM(pose.rangeM / factor) }
}

/** Returns the tangents of half of the picture's width and height. */
export function halfTangents({ width, height }: ViewSize): readonly [x: number, y: number] {
  const y = Math.tan(radians(FIELD_OF_VIEW_DEG) / 2)
  return [(y * Math.max(1, width)) / Math.max(1, height), y]
}

/**
 * Projects points, three numbers each, to pixels of the picture, two numbers each. A point behind the camera
 * becomes NaN.
 */
export function projectPoints(
  eye: ScenePoint,
  { right, up, forward }: CameraAxes,
  size: ViewSize,
  points: ArrayLike<number>,
  into: Float32Array,
): void {
  const [tanX, tanY] = halfTangents(size)
  for (let i = 0, at = 0; i < points.length; i += 3, at += 2) {
    const [x, y, z] = [points[i]! - eye.x, points[i + 1]! - eye.y, points[i + 2]! - eye.z]
    const far = x * forward.x + y * forward.y + z * forward.z
    if (!(far > 0.1)) {
      into[at] = into[at + 1] = Number.NaN
      continue
    }
    const across = x * right.x + y * right.y + z * right.z
    const above = x * up.x + y * up.y + z * up.z
    into[at] = (across / (far * tanX) + 1) * (size.width / 2)
    into[at + 1] = (1 - above / (far * tanY)) * (size.height / 2)
  }
}

/** Returns the index of the projected point nearest to a pixel; -1 if no point is in front of the camera. */
export function nearestProjected(projected: Float32Array, x: number, y: number): number {
  let best = -1
  let square = Number.POSITIVE_INFINITY
  for (let i = 0; i < projected.length; i += 2) {
    const away = (projected[i]! - x) ** 2 + (projected[i + 1]! - y) ** 2
    if (away < square) {
      square = away
      best = i / 2
    }
  }
  return best
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const dot = (a: ScenePoint, b: ScenePoint) => a.x * b.x + a.y * b.y + a.z * b.z
const along = (from: ScenePoint, by: ScenePoint, metres: number): ScenePoint => ({
  x: from.x + by.x * metres,
  y: from.y + by.y * metres,
  z: from.z + by.z * metres,
})
