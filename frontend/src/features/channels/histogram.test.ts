import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extentOf, histogram, padded } from './histogram.ts'
import { selectedRows } from './selected-rows.ts'

const all = () => true

test('counts every value once, whatever they are', () => {
  fc.assert(
    fc.property(
      fc.float64Array({ minLength: 1, maxLength: 200, min: -1e6, max: 1e6 }),
      fc.boolean(),
      (values, isStepped) => {
        const given = isStepped ? values.map(Math.round) : values
        const lines = [{ values: given, isMeant: all }]
        const found = histogram(given, all, { isStepped, within: extentOf(lines) })
        const known = given.some(Number.isFinite)
        assert.equal(found !== null, known)
        if (!found) return
        assert.ok(Math.abs(found.shares.reduce((sum, share) => sum + share, 0) - 100) < 1e-6)
        assert.ok(found.shares.length <= 64)
        assert.ok(found.step > 0)
      },
    ),
  )
})

test('gives each gear a bin around its number', () => {
  const gears = Float64Array.of(2, 3, 3, 4)
  assert.deepEqual(histogram(gears, all, { isStepped: true, within: [2, 4] }), {
    from: 1.5,
    step: 1,
    shares: Float64Array.of(25, 50, 25),
  })
})

test('has one bin for a channel that never changes, and none without a value', () => {
  const same = Float64Array.of(5, 5)
  assert.deepEqual([...histogram(same, all, { isStepped: false, within: [5, 5] })!.shares], [100])
  const none = Float64Array.of(Number.NaN)
  assert.equal(
    histogram(none, all, { isStepped: false, within: extentOf([{ values: none, isMeant: all }]) }),
    null,
  )
})

test('counts only the rows of the chosen corner', () => {
  const metres = Float64Array.of(0, 10, 20, Number.NaN, 30)
  const values = Float64Array.of(1, 2, 3, 4, 5)
  const inCorner = selectedRows(metres, { name: 'Turn 1', startM: 10, endM: 20 })
  assert.deepEqual(extentOf([{ values, isMeant: inCorner }]), [2, 3])
  assert.deepEqual(extentOf([{ values, isMeant: selectedRows(metres, undefined) }]), [1, 5])
  assert.deepEqual(padded([2, 2]), [1.5, 2.5])
  assert.deepEqual(padded([1, 0]), [0, 1])
})
