import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { lapDistance, nearestAtDistance } from './lap-distance.ts'

test('spans the whole track for a complete lap', () => {
  const preview = aPreview({ lengthM: 3200 })
  assert.deepEqual(lapDistance(preview, preview.laps[1]!).full, { minM: 0, maxM: 3200 })
})

test('spans what was driven for a partial lap', () => {
  const preview = aPreview({ lengthM: 3000 })
  const { full } = lapDistance(preview, preview.laps[0]!)
  assert.equal(full.minM, 2100)
  assert.ok(full.maxM > 2990 && full.maxM < 3000)
})

test('has no distance for blank rows and rows that are not numbers', () => {
  const preview = aPreview()
  const lap = { ...preview.laps[0]!, row_start: 0 }
  preview.lapDist[5] = Number.NaN
  const { metres, full } = lapDistance(preview, lap)
  assert.ok(Number.isNaN(metres[0]!))
  assert.ok(Number.isNaN(metres[5]!))
  assert.ok(full.minM > 2000)
})

test('uses the share of the lap if LapDist is missing', () => {
  const preview = aPreview({ lengthM: 3200 })
  const lap = preview.laps[1]!
  const without = { ...preview, debug: { ...preview.debug, missing: ['lapDist'] as const } }
  preview.lapDist.fill(Number.NaN)
  const { metres } = lapDistance(without, lap)
  const row = 600
  assert.ok(Math.abs(metres[row]! - 3200 * preview.lapDistPct[lap.row_start + row]!) < 0.01)
})

test('has an axis for a lap of blank rows only', () => {
  const preview = aPreview()
  const { full } = lapDistance(preview, { ...preview.laps[0]!, row_start: 0, row_end: 0 })
  assert.ok(full.maxM > full.minM)
})

test('has an axis for a car that does not move', () => {
  const preview = aPreview()
  const lap = preview.laps[0]!
  const { full } = lapDistance(preview, { ...lap, row_end: lap.row_start })
  assert.equal(full.maxM - full.minM, 20)
})

test('skips rows without a distance when it searches the nearest one', () => {
  const metres = Float64Array.of(Number.NaN, 10, 20, Number.NaN, 30)
  assert.equal(nearestAtDistance(metres, 24), 2)
  assert.equal(nearestAtDistance(metres, -5), 1)
  assert.equal(nearestAtDistance(metres, 1e9), 4)
  assert.equal(nearestAtDistance(Float64Array.of(Number.NaN), 1), -1)
})
