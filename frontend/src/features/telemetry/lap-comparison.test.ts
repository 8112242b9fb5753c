import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LapDelta } from '#shared/laps/lap-delta.ts'
import { closingWords, cornerAt, deltaAt, deltaSign } from './lap-comparison.ts'

const delta = (seconds: readonly number[], scoredGapS = 0, residualMs = 0): LapDelta => ({
  seconds: Float64Array.from(seconds),
  scoredGapS,
  residualMs,
})

test('interpolates the delta between two points, and ends with the last points', () => {
  const trace = delta([0, 0.2, -0.1])
  assert.equal(deltaAt(trace, 0), 0)
  assert.ok(Math.abs(deltaAt(trace, 0.25) - 0.1) < 1e-12)
  assert.ok(Math.abs(deltaAt(trace, 0.75) - 0.05) < 1e-12)
  assert.equal(deltaAt(trace, 1), -0.1)
  assert.equal(deltaAt(trace, 1.01), -0.1)
  assert.equal(deltaAt(trace, -0.01), 0)
})

test('has no delta without a position', () => {
  assert.ok(Number.isNaN(deltaAt(delta([0, 1]), Number.NaN)))
})

test('is never larger than the largest delta of the trace', () => {
  const values = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (seconds, share) => {
      const value = deltaAt(delta(seconds), share)
      assert.ok(value >= Math.min(...seconds) - 1e-9 && value <= Math.max(...seconds) + 1e-9)
    }),
  )
})

test('treats less than half a thousandth as neither gain nor loss, as it is written', () => {
  assert.deepEqual([0.0005, 0.0004, -0.0004, -0.0005, Number.NaN].map(deltaSign), [
    'loss',
    'even',
    'even',
    'gain',
    'even',
  ])
})

test('states the gap at the line and its distance to the scored one, rounded up', () => {
  const cases: [LapDelta, string][] = [
    [delta([0, 0.203], 0.203, 0), '+0.203 s at the line; closes to within 1 ms of the scored +0.203 s'],
    [delta([0, 0.3166], 0.315, 1.6), '+0.317 s at the line; closes to within 2 ms of the scored +0.315 s'],
    [delta([0, -0.1], -0.096, -4.01), '−0.100 s at the line; closes to within 5 ms of the scored −0.096 s'],
    [delta([0, 0.002], 0, 2), '+0.002 s at the line; closes to within 2 ms of the scored 0.000 s'],
  ]
  for (const [trace, sentence] of cases) {
    const { gap, within, scored } = closingWords(trace)
    assert.equal(gap + within + scored, sentence)
  }
})

test('finds the corner that holds a position, and none on a straight', () => {
  const corners = [
    { name: 'Turn 1', label: '1', startM: 100, apexM: 150, endM: 200 },
    { name: 'Turn 2', label: '2', startM: 260, apexM: 280, endM: 300 },
  ]
  assert.deepEqual(
    [99, 100, 200, 230, 280, Number.NaN].map(metre => cornerAt(corners, metre)?.name),
    [undefined, 'Turn 1', 'Turn 1', undefined, 'Turn 2', undefined],
  )
})
