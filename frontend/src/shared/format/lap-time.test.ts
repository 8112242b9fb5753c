import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatLapTimeMs } from './lap-time.ts'

test('writes minutes, seconds and milliseconds', () => {
  assert.equal(formatLapTimeMs(51_088), '0:51.088')
  assert.equal(formatLapTimeMs(84_296), '1:24.296')
  assert.equal(formatLapTimeMs(3_600_001), '60:00.001')
})

test('is exact to the millisecond for any time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), ms => {
      const [minutes, seconds] = formatLapTimeMs(ms).split(':') as [string, string]
      assert.equal(Number(minutes) * 60_000 + Number(seconds.replace('.', '')), ms)
    }),
  )
})
