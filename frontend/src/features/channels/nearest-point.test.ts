import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestPoint } from './nearest-point.ts'

const xs = Float64Array.of(0, 1, 2, Number.NaN)
const ys = Float64Array.of(0, 0, 10, 0)
const at = (x: number, y: number) => ({ x, y, pixelsPerX: 100, pixelsPerY: 10 })
const all = () => true

test('finds the nearest selected point in pixels, and none out of reach', () => {
  assert.equal(nearestPoint(xs, ys, all, at(0.9, 0), 20), 1)
  assert.equal(nearestPoint(xs, ys, all, at(1.6, 9), 50), 2)
  assert.equal(
    nearestPoint(xs, ys, i => i !== 1, at(0.9, 0), 20),
    null,
  )
  assert.equal(nearestPoint(xs, ys, all, at(0.5, 0), 20), null)
})
