import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatLapTime } from './format-lap-time.ts'
import { lapTimeMs } from './lap-time-ms.ts'

test('formats m:ss.mmm, rounded half up', () => {
  const times: readonly (readonly [number, string])[] = [
    [0, '0:00.000'],
    [15.2395, '0:15.240'],
    [15.23949, '0:15.239'],
    [51.0885, '0:51.089'],
    [1.0005, '0:01.001'],
    [59.9994, '0:59.999'],
    [59.9995, '1:00.000'],
    [90.29, '1:30.290'],
    [599.9996, '10:00.000'],
    [3_723.004, '62:03.004'],
  ]
  for (const [timeS, text] of times) assert.equal(formatLapTime(timeS), text)
})

test('returns null for no time', () => {
  for (const timeS of [null, Number.NaN, Number.POSITIVE_INFINITY, -1])
    assert.equal(formatLapTime(timeS), null)
})

test('rounds every time of the simulator, to a tenth of a millisecond, by its decimals', () => {
  fc.assert(
    fc.property(fc.nat(40_000_000), tenths => {
      assert.equal(lapTimeMs(tenths / 10_000), Math.floor((tenths + 5) / 10))
    }),
  )
})
