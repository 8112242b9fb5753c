import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LapDelta } from '#shared/laps/lap-delta.ts'
import { aPreview } from '#testing/a-preview.ts'
import { cornerAt, deltaAt, deltaSign, gapWords, shareAt } from './lap-comparison.ts'

const delta = (seconds: readonly number[], missedMs = 0): LapDelta => ({
  seconds: Float64Array.from(seconds),
  missedMs,
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

test('states the gap at the line, and what the recordings miss of it only above 2 ms, rounded up', () => {
  const cases: [LapDelta, string, string | null][] = [
    [delta([0, 0.203]), '+0.203 s', null],
    [delta([0, 0.315], 2), '+0.315 s', null],
    [delta([0, -0.096], -2), '−0.096 s', null],
    [delta([0, -0.096], -4.01), '−0.096 s', 'the recordings miss it by 5 ms'],
    [delta([0, 0], 2.1), '0.000 s', 'the recordings miss it by 3 ms'],
  ]
  for (const [trace, gap, missed] of cases) assert.deepEqual(gapWords(trace), { gap, missed })
})

test('counts the last row of a whole lap as the line, so that the delta there is the gap', () => {
  const preview = aPreview()
  const [out, whole] = preview.laps
  assert.equal(shareAt({ preview, lap: whole! }, whole!.row_end), 1)
  assert.equal(shareAt({ preview, lap: whole! }, whole!.row_end - 1), preview.lapDistPct[whole!.row_end - 1])
  assert.equal(shareAt({ preview, lap: out! }, out!.row_end), preview.lapDistPct[out!.row_end])
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
