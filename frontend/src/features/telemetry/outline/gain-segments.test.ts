import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type GainState, gainSegments } from './gain-segments.ts'

const LAP_S = 90
const shares = Float64Array.from({ length: 3000 }, (_, i) => i / 2999)
const rowStart = 700

/** Returns a delta that changes by these seconds a whole lap, between shares of it. */
function aDelta(rates: readonly (readonly [number, number])[]) {
  const seconds = new Float64Array(3001)
  for (let i = 1; i < seconds.length; i++) {
    const rate = rates.findLast(([from]) => i / 3000 > from)?.[1] ?? 0
    seconds[i] = seconds[i - 1]! + rate / 3000
  }
  return { seconds, missedMs: 0 }
}

test('shows where a lap lost time, gained it, and kept the gap', () => {
  const delta = aDelta([
    [0, 0],
    [0.2, 5],
    [0.4, 0],
    [0.6, -4],
    [0.8, 0],
  ])
  const segments = gainSegments(shares, rowStart, delta, LAP_S)
  assert.deepEqual(
    segments.map(({ state }) => state),
    ['level', 'loss', 'level', 'gain', 'level'],
  )
  segments.slice(1).forEach(({ start }, i) => {
    const expected = [0.2, 0.4, 0.6, 0.8][i]!
    assert.ok(Math.abs((start - rowStart) / 2999 - expected) < 0.006, `${start}`)
  })
})

test('takes 0.1 % of the pace for level: no line flickers between two colours', () => {
  assert.deepEqual(gainSegments(shares, rowStart, aDelta([[0, 0.001 * LAP_S]]), LAP_S), [
    { state: 'level', start: 700, end: 3699 },
  ])
})

test('leaves no hole and no overlap, also without positions and while a car rolls back', () => {
  const value = fc.oneof(fc.double({ min: -0.1, max: 1.1, noNaN: true }), fc.constant(Number.NaN))
  const delta = aDelta([
    [0, 8],
    [0.3, -8],
    [0.7, 0],
  ])
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 80 }), values => {
      let next = rowStart
      let before: GainState | null = null
      for (const { state, start, end } of gainSegments(values, rowStart, delta, LAP_S)) {
        assert.equal(start, next)
        assert.ok(end >= start && state !== before)
        next = end + 1
        before = state
      }
      assert.equal(next, rowStart + values.length)
    }),
  )
})
