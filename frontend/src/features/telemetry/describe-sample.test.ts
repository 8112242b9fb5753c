import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { describeSample, formatClock, formatGear, formatPercent, formatSigned } from './describe-sample.ts'

test('describes a sample with its share, time and speed', () => {
  const preview = aPreview()
  const lap = preview.laps[1]!
  const row = lap.row_start + 600
  preview.lapDistPct[row] = 0.3172
  preview.speed[row] = 31.2
  assert.deepEqual(describeSample(preview, lap, row, 'km/h'), {
    share: '31.7 % of lap',
    time: '0:10.0',
    speed: '112 km/h',
  })
})

test('leaves empty what the file does not hold', () => {
  const preview = aPreview()
  const lap = preview.laps[1]!
  for (const name of ['lapDistPct', 'speed', 'sessionTime'] as const) preview[name].fill(Number.NaN)
  assert.deepEqual(describeSample(preview, lap, lap.row_start + 1, 'km/h'), {
    share: '',
    time: '',
    speed: '',
  })
})

test('keeps the share of the lap within 0 and 100 %', () => {
  assert.equal(formatPercent(0), '0.0 %')
  assert.equal(formatPercent(-0.001), '0.0 %')
  assert.equal(formatPercent(0.31749), '31.7 %')
  assert.equal(formatPercent(1.002), '100.0 %')
})

test('cuts the clock to tenths, and counts minutes', () => {
  assert.equal(formatClock(0), '0:00.0')
  assert.equal(formatClock(9.99), '0:09.9')
  assert.equal(formatClock(59.999), '0:59.9')
  assert.equal(formatClock(65.2), '1:05.2')
})

test('shows gear 0 as N and a negative one as R', () => {
  assert.deepEqual([-1, 0, 1, 6].map(formatGear), ['R', 'N', '1', '6'])
})

test('writes signed numbers with a sign, zero without', () => {
  assert.deepEqual([10.4, -3.6, 0.2, -0.2].map(formatSigned), ['+10', '−4', '0', '0'])
})

test('shows speed in the chosen unit', () => {
  const preview = aPreview()
  const lap = preview.laps[1]!
  preview.speed[lap.row_start] = 44.704
  assert.equal(describeSample(preview, lap, lap.row_start, 'mph').speed, '100 mph')
})
