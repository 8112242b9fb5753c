import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heldGears } from './held-gears.ts'

/** Returns a recording of these gears at 60 rows a second. */
const recorded = (gears: readonly number[], timeOf = (row: number) => row / 60) => ({
  gear: Int8Array.from(gears),
  sessionTime: Float64Array.from(gears, (_, row) => timeOf(row)),
  meta: { track_length_m: 3000, sample_rate_hz: 60 },
})
const held = (...parameters: Parameters<typeof recorded>) => [...heldGears(recorded(...parameters))]
const rows = (gear: number, count: number) => Array<number>(count).fill(gear)

test('holds the gear before a shift until the next one is in', () => {
  assert.deepEqual(held([3, 3, 0, 0, 0, 4, 4]), [3, 3, 3, 3, 3, 4, 4])
  assert.deepEqual(held([3, 0, 2, 0, 1]), [3, 3, 2, 2, 1])
})

test('holds for less than 0.3 s, and shows a neutral that the driver chose', () => {
  assert.deepEqual(held([3, ...rows(0, 17), 4]), [...rows(3, 18), 4])
  assert.deepEqual(held([3, ...rows(0, 18), 4]), [3, ...rows(0, 18), 4])
  assert.deepEqual(held([3, 0, 0]), [3, 0, 0])
  assert.deepEqual(held([0, 0, 1]), [0, 0, 1])
})

test('counts the seconds, not the rows, and rows without a time at the sample rate', () => {
  assert.deepEqual(
    held([3, 0, 4], row => row * 0.4),
    [3, 0, 4],
  )
  assert.deepEqual(
    held([3, ...rows(0, 40), 4], row => row / 360),
    [...rows(3, 41), 4],
  )
  assert.deepEqual(
    held([3, 0, 4], () => Number.NaN),
    [3, 3, 4],
  )
  // The next session of the file begins at 0 again.
  assert.deepEqual(
    held([3, 0, 4], row => (row < 2 ? 900 + row : 0)),
    [3, 0, 4],
  )
})

test('changes only the neutral of a shift, and never the recording', () => {
  const gears = fc.array(fc.integer({ min: -1, max: 6 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(gears, values => {
      const recording = recorded(values)
      const shown = heldGears(recording)
      assert.deepEqual([...recording.gear], values)
      shown.forEach((gear, row) => {
        if (gear === values[row]) return
        assert.equal(values[row], 0)
        assert.equal(gear, shown[row - 1])
      })
      assert.equal(heldGears(recording), shown)
    }),
  )
})
