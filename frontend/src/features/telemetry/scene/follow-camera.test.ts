import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraAxes, cameraPosition, projectPoints } from './camera-pose.ts'
import { type Followed, followHeading, followPose } from './follow-camera.ts'

const at = { x: 120, y: 14, z: -60 }
const car = (degrees: number | null, place = at) => ({
  ...place,
  direction: degrees === null ? null : (degrees * Math.PI) / 180,
})
const size = { width: 800, height: 480 }

for (const headingDeg of [0, 75, 180, 290]) {
  test(`sees a car that drives at ${headingDeg} degrees from behind, in the middle of the picture's width`, () => {
    const pose = followPose(at, headingDeg)
    const eye = cameraPosition(pose)
    const heading = (headingDeg * Math.PI) / 180
    const behindM = (at.x - eye.x) * Math.sin(heading) - (at.z - eye.z) * Math.cos(heading)
    assert.ok(behindM > 110 && behindM < 150, `${behindM} m`)
    assert.ok(eye.y - at.y > 30 && eye.y - at.y < 50)
    const pixels = new Float32Array(2)
    projectPoints(eye, cameraAxes(pose), size, [at.x, at.y, at.z], pixels)
    assert.ok(Math.abs(pixels[0]! - size.width / 2) < 0.5)
    assert.ok(pixels[1]! > 0.6 * size.height && pixels[1]! < 0.75 * size.height, `${pixels[1]}`)
    // The horizon is level, and its range is one that a driver could choose.
    assert.ok(Math.abs(cameraAxes(pose).right.y) < 1e-12)
    assert.equal(pose.rangeM, 300)
  })
}

const followed = (headingDeg: number): Followed => ({ car: at, headingDeg })

test('looks in the direction of the car at the start', () => {
  assert.equal(followHeading(null, car(0), 0, false), 90)
  assert.equal(followHeading(null, car(-90), 0, false), 0)
  assert.equal(followHeading(null, car(180), 0, false), 270)
})

test('turns smoothly, the short way, and comes to rest', () => {
  let heading = 350
  for (let frame = 0; frame < 3; frame++) {
    const next = followHeading(followed(heading), car(-70), 1 / 60, false)
    assert.ok((next - heading + 360) % 360 < 3, `from ${heading} to ${next}`)
    heading = next
  }
  for (let frame = 0; frame < 300; frame++)
    heading = followHeading(followed(heading), car(-70), 1 / 60, false)
  assert.ok(Math.abs(heading - 20) < 1e-9, `${heading}`)
})

test('turns as far in one frame as in two of half its time', () => {
  const once = followHeading(followed(10), car(0), 0.1, false)
  const half = followHeading(followed(10), car(0), 0.05, false)
  assert.ok(Math.abs(followHeading(followed(half), car(0), 0.05, false) - once) < 1e-9)
})

test('turns immediately after a jump, and for drivers who want no motion', () => {
  const far = car(-90, { ...at, x: at.x + 400 })
  assert.equal(followHeading(followed(90), far, 1 / 60, false), 0)
  assert.equal(followHeading(followed(90), car(-90), 1 / 60, true), 0)
})

test('keeps the heading of a car without a direction', () => {
  assert.equal(followHeading(followed(123), car(null), 1, false), 123)
  assert.equal(followHeading(null, car(null), 1, false), 0)
})
