import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CameraPose,
  cameraAxes,
  cameraPosition,
  FIRST_HEADING_DEG,
  FIRST_TILT_DEG,
  fitPose,
  nearestProjected,
  orbit,
  pan,
  projectPoints,
  type ScenePoint,
  zoom,
} from './camera-pose.ts'

const size = { width: 800, height: 500 }
const pose: CameraPose = { target: { x: 0, y: 0, z: 0 }, rangeM: 1000, tiltDeg: 60, headingDeg: 30 }

function pixelOf(of: CameraPose, { x, y, z }: ScenePoint) {
  const into = new Float32Array(2)
  projectPoints(cameraPosition(of), cameraAxes(of), size, [x, y, z], into)
  return { x: into[0]!, y: into[1]! }
}

test('a view begins with a tilt of 60 and a heading of 30 degrees', () => {
  assert.deepEqual([FIRST_TILT_DEG, FIRST_HEADING_DEG], [60, 30])
})

test('the camera looks along its heading, down at its target in the middle of the picture', () => {
  const north = { ...pose, headingDeg: 0 }
  const camera = cameraPosition(north)
  // South of the target, and higher: 60 degrees away from straight above.
  assert.ok(camera.z > 800 && Math.abs(camera.x) < 1e-6)
  assert.ok(Math.abs(camera.y - 500) < 1e-6)
  assert.deepEqual(pixelOf(pose, pose.target), { x: 400, y: 250 })
  // East is on the right when the camera looks north.
  assert.ok(pixelOf(north, { x: 100, y: 0, z: 0 }).x > 400)
  assert.ok(pixelOf(north, { x: 0, y: 0, z: -100 }).y < 250)
})

const metres = fc.double({ min: -2500, max: 2500, noNaN: true })
const height = fc.double({ min: -40, max: 40, noNaN: true })
const point = fc.record({ x: metres, y: height, z: metres })

test('a fitted view shows every point with 20 px around them, as near as the range allows', () => {
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 0, max: 359 }),
      (points, tiltDeg, headingDeg) => {
        const fitted = fitPose({ ...pose, tiltDeg, headingDeg }, points, size)
        const pixels = points.map(of => pixelOf(fitted, of))
        for (const { x, y } of pixels) {
          assert.ok(x > 19 && x < 781, `x ${x}`)
          assert.ok(y > 19 && y < 481, `y ${y}`)
        }
        if (fitted.rangeM === 300) return
        const gap = Math.min(
          ...pixels.flatMap(({ x, y }) => [x, y, size.width - x, size.height - y]).map(px => px - 20),
        )
        assert.ok(gap < 1, `${gap} px are left on every side`)
      },
    ),
  )
})

test('the range stays between 300 and 20,000 m', () => {
  assert.equal(fitPose(pose, [pose.target], size).rangeM, 300)
  const far = [
    { x: -90_000, y: 0, z: 0 },
    { x: 90_000, y: 0, z: 0 },
  ]
  assert.equal(fitPose(pose, far, size).rangeM, 20_000)
  assert.equal(zoom(pose, 1000).rangeM, 300)
  assert.equal(zoom(pose, 0.001).rangeM, 20_000)
})

test('no points leave the view as it is', () => {
  assert.equal(fitPose(pose, [], size), pose)
})

test('turning keeps the target in the middle, and never tilts below the ground', () => {
  const turned = orbit(pose, 345, 70)
  assert.equal(turned.headingDeg, 15)
  assert.ok(turned.tiltDeg < 90)
  assert.ok(cameraPosition(turned).y > 0)
  assert.deepEqual(turned.target, pose.target)
  assert.equal(orbit(pose, 0, -90).tiltDeg, 0)
})

test('a drag takes the ground along, and stops at the edge of the lap', () => {
  const box = { west: -500, east: 500, north: -500, south: 500 }
  const dragged = pan(pose, 60, 0, size, box)
  const { x, y } = pixelOf(dragged, pose.target)
  assert.ok(Math.abs(x - 460) < 0.5 && Math.abs(y - 250) < 0.5, JSON.stringify({ x, y }))
  const { target } = pan(pose, 1e6, 1e6, size, box)
  for (const value of [target.x, target.z]) assert.equal(Math.abs(value), 500)
})

test('the nearest point is the one a driver sees nearest, never one behind the camera', () => {
  const line = [0, 0, 0, 40, 0, 0, 80, 0, 0]
  const camera = cameraPosition(pose)
  const behind = [2 * camera.x, camera.y, 2 * camera.z]
  const projected = new Float32Array(8)
  projectPoints(camera, cameraAxes(pose), size, [...line, ...behind], projected)
  assert.ok(Number.isNaN(projected[6]!))
  for (let i = 0; i < 3; i++) {
    assert.equal(nearestProjected(projected, projected[2 * i]! + 2, projected[2 * i + 1]!), i)
  }
  assert.equal(nearestProjected(Float32Array.of(Number.NaN, Number.NaN), 1, 1), -1)
})
