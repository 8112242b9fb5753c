import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { risingRows } from './rising-rows.ts'

const allRows = (values: readonly number[]): Int32Array => Int32Array.from(values, (_, row) => row)

const risingOf = (...values: number[]): number[] => [
  ...risingRows(Float32Array.from(values), allRows(values)),
]

test('returns all rows of a lap that only rises', () => {
  assert.deepEqual(risingOf(1, 2, 3, 4), [0, 1, 2, 3])
})

test('removes only a row that is too far ahead or behind', () => {
  assert.deepEqual(risingOf(1, 2, 9, 3, 4, 5), [0, 1, 3, 4, 5])
  assert.deepEqual(risingOf(3, 4, 5, 1, 6, 7), [0, 1, 2, 4, 5])
})

test('returns the first of equal values', () => {
  assert.deepEqual(risingOf(1, 2, 2, 2, 3), [0, 1, 4])
  assert.deepEqual(risingOf(5, 5, 5), [0])
})

test('returns no rows for no rows', () => {
  assert.deepEqual(risingOf(), [])
})

/** Returns the length of the longest strictly rising subsequence, by trying all. */
function longest(values: readonly number[]): number {
  const upTo = values.map(() => 1)
  for (let i = 0; i < values.length; i++) {
    for (let j = 0; j < i; j++) if (values[j]! < values[i]!) upTo[i] = Math.max(upTo[i]!, upTo[j]! + 1)
  }
  return Math.max(0, ...upTo)
}

test('returns rising rows, and never fewer than possible, for any values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 }), values => {
      const rising = risingOf(...values)
      assert.equal(rising.length, longest(values))
      for (let i = 1; i < rising.length; i++) {
        assert.ok(rising[i]! > rising[i - 1]! && values[rising[i]!]! > values[rising[i - 1]!]!)
      }
    }),
    { numRuns: 1000 },
  )
})
