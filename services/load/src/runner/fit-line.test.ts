import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitLine } from './fit-line.ts'

test('finds the line of points that are on one', () => {
  const line = fitLine([1, 2, 5].map(x => [x, 0.25 + 0.5 * x]))!
  assert.ok(Math.abs(line.slope - 0.5) < 1e-12 && Math.abs(line.intercept - 0.25) < 1e-12)
  assert.ok(Math.abs(line.r2 - 1) < 1e-12)
})

test('finds the best line through scattered points, and how well it fits', () => {
  const line = fitLine([
    [0, 1],
    [1, 0],
    [2, 5],
    [3, 4],
  ])!
  assert.ok(Math.abs(line.slope - 1.4) < 1e-12 && Math.abs(line.intercept - 0.4) < 1e-12)
  assert.ok(Math.abs(line.r2 - 9.8 / 17) < 1e-12)
})

test('finds no line for a single rate', () => {
  assert.equal(fitLine([[1, 2]]), null)
  assert.equal(
    fitLine([
      [1, 2],
      [1, 3],
    ]),
    null,
  )
})
