import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAR_PIXEL_M } from '../cars/car-shapes.ts'
import { carOnGround } from './car-on-ground.ts'

const at = { x: 100, y: 80 }
const lengthOf = (x: number, y: number) => Math.hypot(x, y)

test('a car near the camera has its true size', () => {
  const [frontX, frontY, rightX, rightY] = carOnGround(at, { x: 100, y: 60 }, { x: 120, y: 80 })!
  assert.ok(Math.abs(lengthOf(frontX, frontY) - 20 * CAR_PIXEL_M) < 1e-9)
  assert.ok(frontY < 0 && rightX > 0 && Math.abs(frontX) + Math.abs(rightY) < 1e-9)
})

test('a far car is never smaller than its shape, and points where it drives', () => {
  const axes = carOnGround(at, { x: 100.01, y: 80 }, { x: 100, y: 80.008 })!
  assert.ok(Math.abs(axes[0] - 1) < 1e-9)
  assert.ok(Math.abs(axes[3] - 0.8) < 1e-9)
})

test('a car that is seen along the ground does not become a line', () => {
  const axes = carOnGround(at, { x: 100, y: 79.9 }, { x: 104, y: 80 })!
  assert.ok(Math.abs(axes[1]) >= 0.65 * axes[2])
})

test('a car without a place on the screen has no axes', () => {
  assert.equal(carOnGround(at, at, { x: 101, y: 80 }), null)
  assert.equal(carOnGround({ x: Number.NaN, y: 0 }, at, at), null)
})
