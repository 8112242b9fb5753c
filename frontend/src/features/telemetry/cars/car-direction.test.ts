import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carDirection } from './car-direction.ts'

/** Returns the direction on a lap of these points, in degrees clockwise from east. */
function directionOf(points: readonly (readonly [east: number, south: number])[], row: number) {
  const found = carDirection(
    i => points[i]![0],
    i => points[i]![1],
    row,
    { row_start: 0, row_end: points.length - 1 },
  )
  return found === null ? null : Math.round((found * 180) / Math.PI)
}

const line = (byEast: number, bySouth: number) =>
  Array.from({ length: 40 }, (_, i) => [i * byEast, i * bySouth] as const)

for (const [name, byEast, bySouth, degrees] of [
  ['east', 1, 0, 0],
  ['south', 0, 1, 90],
  ['north-west', -1, -1, -135],
] as const) {
  test(`a car that drives ${name} is turned by ${degrees} degrees, from the lap’s first row to its last`, () => {
    for (const row of [0, 0.4, 20, 20.7, 39]) assert.equal(directionOf(line(byEast, bySouth), row), degrees)
  })
}

test('noise of a tenth of a metre turns a slow car by less than three degrees', () => {
  const noisy = Array.from({ length: 400 }, (_, i) => [i * 0.05, i % 2 === 0 ? 0.1 : -0.1] as const)
  for (let row = 0; row < 400; row += 3) assert.ok(Math.abs(directionOf(noisy, row)!) < 3)
})

test('a car follows a bend, half before it and half after it', () => {
  const bend = [...line(1, 0).slice(0, 20), ...line(0, 1).map(([, south]) => [19, south + 1] as const)]
  assert.equal(directionOf(bend, 19), 45)
})

test('positions that jump or are missing do not turn the car', () => {
  const jump = [...line(1, 0), ...line(0, 1).map(([east, south]) => [east + 5000, south] as const)]
  assert.equal(directionOf(jump, 39), 0)
  assert.equal(directionOf(jump, 40), 90)
  const gap = line(1, 0).map((point, i) => (i === 22 ? ([Number.NaN, Number.NaN] as const) : point))
  assert.equal(directionOf(gap, 20), 0)
  assert.equal(directionOf(gap, 22), null)
})

test('a car that stays in its place has no direction, nor has a lap of one sample', () => {
  assert.equal(
    directionOf(
      Array.from({ length: 50 }, () => [3, 4] as const),
      10,
    ),
    null,
  )
  assert.equal(directionOf([[1, 2]], 0), null)
})
