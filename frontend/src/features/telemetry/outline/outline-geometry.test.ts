import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectLap } from './outline-geometry.ts'

const times = (count: number) => Float64Array.from({ length: count }, (_, i) => i / 60)
const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`)

test('projects positions to metres around the lap’s middle, north up', () => {
  // 0.001° of latitude is 111.2 m on a sphere; of longitude at 60°, half of that.
  const geometry = projectLap([60, 60.001], [10, 10.001], [0, 5], 0, 1)
  near(geometry.halfHeight, 55.6, 0.3)
  near(geometry.halfWidth, 27.8, 0.3)
  near(geometry.x[0]!, -27.8, 0.3)
  near(geometry.y[0]!, 55.6, 0.3)
  near(geometry.y[1]!, -55.6, 0.3)
})

test('leaves blank and broken positions out of the drawing and its extent', () => {
  const geometry = projectLap([Number.NaN, 50, Number.NaN, 50.0001], [Number.NaN, 8, 8, 8], times(4), 0, 3)
  assert.equal(geometry.known, 2)
  assert.deepEqual([...geometry.x].map(Number.isNaN), [true, false, true, false])
  assert.ok(geometry.halfHeight < 6)
})

test('breaks the line at a tow, and not at missing ticks', () => {
  const lat = [50, 50.0002, 50.0004, 50.01, 50.0102]
  const lon = [8, 8, 8, 8, 8]
  // 22 m a step: driven in 0.5 s, impossible in 0.1 s.
  const driven = projectLap(lat.slice(0, 3), lon, [0, 0.5, 1], 0, 2)
  assert.deepEqual([...driven.breaks], [1, 0, 0])
  const towed = projectLap(lat, lon, [0, 0.5, 1, 1.1, 1.6], 0, 4)
  assert.deepEqual([...towed.breaks], [1, 0, 0, 1, 0])
})

test('starts a lap in a file at its own rows', () => {
  const geometry = projectLap([1, 50, 50.001], [1, 8, 8], times(3), 1, 2)
  assert.equal(geometry.rowStart, 1)
  assert.equal(geometry.x.length, 2)
  near(geometry.halfHeight, 55.6, 0.3)
})

test('keeps a track across the 180th meridian in one piece', () => {
  const geometry = projectLap([0.5, 0.5], [179.999, -179.999], [0, 5], 0, 1)
  near(geometry.halfWidth, 111.3, 0.5)
})

test('has no extent for a lap without positions', () => {
  const nothing = Float64Array.of(Number.NaN, Number.NaN)
  const geometry = projectLap(nothing, nothing, times(2), 0, 1)
  assert.deepEqual([geometry.known, geometry.halfWidth, geometry.halfHeight], [0, 0, 0])
})

test('projects a second lap to its position beside the first, on the plane of the first', () => {
  const first = projectLap([60, 60.001], [10, 10.001], [0, 5], 0, 1)
  const second = projectLap([60.0005, 60.002], [10.0005, 10.001], [0, 5], 0, 1, first.plane)
  // The point half way between the first lap's ends is the middle of its plane.
  near(second.x[0]!, 0, 0.1)
  near(second.y[0]!, 0, 0.1)
  near(second.x[1]!, first.x[1]!, 0.1)
  near(first.y[1]! - second.y[1]!, 111.2, 0.3)
})
