import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aPreview } from '#testing/a-preview.ts'
import { indexSamples } from './nearest-sample.ts'
import { projectLap } from './outline-geometry.ts'

/** Finds the nearest sample by comparing with all of them. */
function slowNearest(x: Float64Array, y: Float64Array, px: number, py: number): number {
  let best = -1
  let bestSquare = Number.POSITIVE_INFINITY
  for (let i = 0; i < x.length; i++) {
    const square = (x[i]! - px) ** 2 + (y[i]! - py) ** 2
    if (square < bestSquare) {
      best = i
      bestSquare = square
    }
  }
  return best
}

test('finds the nearest sample for any samples and any point', () => {
  const metre = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(Number.NaN))
  const point = fc.integer({ min: -200, max: 200 })
  fc.assert(
    fc.property(fc.array(fc.tuple(metre, metre), { maxLength: 60 }), point, point, (samples, px, py) => {
      const x = Float64Array.from(samples, sample => sample[0])
      const y = Float64Array.from(samples, sample => sample[1])
      assert.equal(indexSamples(x, y).nearest(px, py), slowNearest(x, y, px, py))
    }),
    { numRuns: 500 },
  )
})

test('agrees with a full scan along a whole lap', () => {
  const preview = aPreview()
  const lap = preview.laps[1]!
  const { x, y } = projectLap(preview.lat, preview.lon, preview.sessionTime, lap.row_start, lap.row_end)
  const index = indexSamples(x, y)
  for (let px = -800; px <= 800; px += 97) {
    for (let py = -800; py <= 800; py += 89) assert.equal(index.nearest(px, py), slowNearest(x, y, px, py))
  }
})

test('finds samples on one line or in one point, too', () => {
  const line = Float64Array.from({ length: 1000 }, (_, i) => i)
  const zero = new Float64Array(1000)
  assert.equal(indexSamples(line, zero).nearest(499.4, 300), 499)
  assert.equal(indexSamples(zero, line).nearest(-20, 2000), 999)
  assert.equal(indexSamples(zero, zero).nearest(5, 5), 0)
})

test('finds none without samples', () => {
  assert.equal(indexSamples(new Float64Array(0), new Float64Array(0)).nearest(0, 0), -1)
  assert.equal(indexSamples(Float64Array.of(Number.NaN), Float64Array.of(1)).nearest(0, 0), -1)
})
