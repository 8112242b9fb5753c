import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runsOf } from '@lapwing/lap-map/pedal-segments'
import { GAIN_STATES, gainClasses } from './gain-classes.ts'

const LAP_S = 90
const shares = Float64Array.from({ length: 3000 }, (_, i) => i / 2999)

/** Returns a delta that changes by these seconds a whole lap, between shares of it. */
function aDelta(rates: readonly (readonly [number, number])[]) {
  const seconds = new Float64Array(3001)
  for (let i = 1; i < seconds.length; i++) {
    const rate = rates.findLast(([from]) => i / 3000 > from)?.[1] ?? 0
    seconds[i] = seconds[i - 1]! + rate / 3000
  }
  return { seconds, missedMs: 0 }
}

function partsOf(classes: Uint8Array) {
  const runs = runsOf(row => classes[row]!, 0, classes.length - 1)
  return runs.map(({ state, start }) => ({ state: GAIN_STATES[state], start }))
}

test('shows where a lap lost time, gained it, and kept the gap', () => {
  const delta = aDelta([
    [0, 0],
    [0.2, 5],
    [0.4, 0],
    [0.6, -4],
    [0.8, 0],
  ])
  const parts = partsOf(gainClasses(shares, delta, LAP_S))
  assert.deepEqual(
    parts.map(({ state }) => state),
    ['level', 'loss', 'level', 'gain', 'level'],
  )
  parts.slice(1).forEach(({ start }, i) => {
    const expected = [0.2, 0.4, 0.6, 0.8][i]!
    assert.ok(Math.abs(start / 2999 - expected) < 0.006, `${start}`)
  })
})

test('takes 0.1 % of the pace for level: no line flickers between two colours', () => {
  const parts = partsOf(gainClasses(shares, aDelta([[0, 0.001 * LAP_S]]), LAP_S))
  assert.deepEqual(parts, [{ state: 'level', start: 0 }])
})

test('gives rows without a position the state before, and rows beyond the lap that of its end', () => {
  const delta = aDelta([
    [0, 8],
    [0.5, -8],
  ])
  const classes = gainClasses([Number.NaN, -0.1, 0.2, Number.NaN, 0.8, Number.NaN, 1.2], delta, LAP_S)
  assert.deepEqual(
    Array.from(classes, index => GAIN_STATES[index]),
    ['level', 'loss', 'loss', 'loss', 'gain', 'gain', 'gain'],
  )
})
